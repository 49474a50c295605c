import type { PausedService } from "../terminal/paused-service.ts";
import type { Moment } from "../terminal/recording.ts";

/** A command that waits, and what its terminal shows as time passes for the service. */
interface WaitFlow {
  /** Whether it is about a payment that was sent before. */
  isOfSent?: true;
  line(id: string): string;
  dialect?: "openzeppelin";
  exitCode: number;
  moments(service: PausedService): readonly Moment[];
}

const TO = "0xde709f2102306220921060314715629080e2fb77";

/** The payment that every wait is about. */
export const SEND = `tx send base-hot --to ${TO} --value 0.01eth --speed fast`;

export const FREEZE = {
  line: "relayctl relayers freeze eth-main-1 eth-main-2 xlm-treasury; relayctl undo",
  moments: [
    { sees: /Type "3 relayers" to confirm:$/, keys: "3 relayers" },
    { sees: /\[y\/N\]$/, keys: "y" },
  ],
} as const satisfies { line: string; moments: readonly Moment[] };

/** A watch of a fleet that another terminal changes, until Ctrl-C. */
export const WATCH = {
  line: "relayctl relayers list --watch 1s",
  moments: (pause: () => void) => [
    { sees: /● base-hot[\s\S]*Ctrl-C to stop$/, act: pause },
    { sees: /> base-hot .*paused[\s\S]*active → paused[\s\S]*Ctrl-C to stop$/, isInterrupted: true },
  ],
} as const satisfies { line: string; moments(pause: () => void): readonly Moment[] };

/** A plan for the demo fleet, and its application. */
export const FLEET = {
  line: "relayctl plan -f config.json; relayctl apply -f config.json",
  moments: [{ sees: /\[y\/N\]$/, keys: "y" }],
} as const satisfies { line: string; moments: readonly Moment[] };

/** A rotation with a key that is generated, whose source and file are prompted for. */
export const ROTATION = {
  line: "relayctl notifications rotate-key ops-hook",
  moments: [
    { sees: /> generate a key[\s\S]*enter select$/, keys: "" },
    { sees: /Write the new key to: \[\S+\]$/, keys: "new.key" },
    { sees: /\[y\/N\]$/, keys: "y" },
  ],
} as const satisfies { line: string; moments: readonly Moment[] };

/** A login whose token another program keeps, in place of an entry that is there already. */
export const LOGIN = {
  line: "relayctl auth login --context local --store pass",
  moments: [
    { sees: /Server URL: \S+$/, keys: "" },
    { sees: /\[y\/N\]$/, keys: "y" },
    { sees: /Token \(hidden\): ?$/, keys: "token-of-the-paused-service" },
  ],
} as const satisfies { line: string; moments: readonly Moment[] };

/** Payments of a file, whose sum is typed. */
export const PAYMENTS = {
  line: "relayctl tx send-many base-hot -f payouts.csv --speed fast --concurrency 1",
  moments: [{ sees: /to confirm: ?$/, keys: "0.03eth" }],
} as const satisfies { line: string; moments: readonly Moment[] };

/** An examination of a paused relayer, whose command is run. */
export const DOCTOR = {
  line: "relayctl doctor eth-main-2 --only REL-PAUSED,REL-ANY-RECEIVER,BAL-BELOW-MIN --fix",
  moments: [{ sees: /relayers resume eth-main-2\?.*\[y\/N\]$/, keys: "y" }],
} as const satisfies { line: string; moments: readonly Moment[] };

const [CAPPED, STUCK] = ["2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a", "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50"];

/** Waits: a confirmed payment, a lost replacement, a hopeless cancellation, four stuck transactions, and bumps. */
export const WAIT_FLOWS: Readonly<Record<string, WaitFlow>> = {
  "tx-send-wait": {
    line: () => `relayctl ${SEND} --wait`,
    exitCode: 0,
    moments: ({ pass }) => [
      { sees: /\[y\/N\]$/, keys: "y" },
      { sees: /● pending[\s\S]*Ctrl-C to stop$/, act: () => pass(10) },
      { sees: /● submitted[\s\S]*Ctrl-C to stop$/, act: () => pass(60) },
    ],
  },
  "tx-replace-wait": {
    isOfSent: true,
    dialect: "openzeppelin",
    line: (id) =>
      `relayctl tx replace base-hot ${id} --to ${TO} --value 0.02eth --gas-limit 21000 --speed fast --force --wait`,
    exitCode: 13,
    moments: () => [{ sees: /\[y\/N\]$/, keys: "y" }],
  },
  "relayers-unstick": {
    dialect: "openzeppelin",
    line: () => "relayctl relayers unstick eth-main-1",
    exitCode: 0,
    moments: ({ pass }) => [
      { sees: /\[y\/N\]$/, keys: "y" },
      { sees: /previous hash saved/, act: () => pass(5) },
      { sees: /waiting until nonce 7/, act: () => pass(60) },
    ],
  },
  "tx-cancel-wait": {
    isOfSent: true,
    dialect: "openzeppelin",
    line: (id) => `relayctl tx cancel base-hot ${id} --force --wait`,
    exitCode: 14,
    moments: ({ pass }) => [
      { sees: /\[y\/N\]$/, keys: "y" },
      { sees: /● submitted[\s\S]*Ctrl-C to stop$/, act: () => pass(60) },
    ],
  },
  "tx-bump-until-mined": {
    dialect: "openzeppelin",
    line: () =>
      `relayctl tx bump eth-main-1 ${CAPPED}; relayctl tx bump eth-main-1 ${STUCK} --until mined --max-price 100gwei`,
    exitCode: 0,
    moments: ({ pass }) => [
      { sees: /\[y\/N\]$/, keys: "y" },
      { sees: /previous hash saved in the journal/, act: () => pass(5) },
      { sees: /● submitted[\s\S]*Ctrl-C to stop$/, act: () => pass(60) },
    ],
  },
};
