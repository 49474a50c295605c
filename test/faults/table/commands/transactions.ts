import { SERIALIZED } from "../../../contract/solana-transaction.ts";
import { type Command, row } from "../command.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const OWN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const MAX_U128 = "340282366920938463463374607431768211455";
const HEX = "00ff".repeat(16);
const BYTES = Array.from({ length: 16 }, () => "0,255").join(",");

interface Replacement {
  name: string;
  relayer: string;
  id: string;
  flags: readonly string[];
  bodies: readonly string[];
  honest?: Command["honest"];
  mute?: true;
}

/** Bodies in the order in which the flags of the help stand. */
const REPLACEMENTS: readonly Replacement[] = [
  {
    name: "evm",
    relayer: "evm-1",
    id: "tx-evm",
    flags: ["--to", TO, "--value", "5", "--gas-limit", "21000", "--speed", "fast"],
    bodies: [`{"value":5,"gas_limit":21000,"to":"${TO}","speed":"fast"}`],
  },
  {
    name: "evm with prices",
    relayer: "evm-1",
    id: "tx-evm",
    flags: ["--to", TO, "--value", "0", "--max-fee-per-gas", "30gwei", "--max-priority-fee-per-gas", "2gwei"],
    bodies: [`{"value":0,"max_fee_per_gas":30000000000,"max_priority_fee_per_gas":2000000000,"to":"${TO}"}`],
    honest: ({ name }) => (name === "real" ? 14 : 0),
  },
  {
    name: "the largest value",
    relayer: "evm-1",
    id: "tx-evm",
    flags: ["--to", TO, "--value", MAX_U128, "--speed", "fastest"],
    bodies: [
      `{"value":${MAX_U128},"to":"${TO}","speed":"fastest"}`,
      `{"value":"${MAX_U128}","to":"${TO}","speed":"fastest"}`,
    ],
  },
  {
    name: "solana",
    relayer: "sol-1",
    id: "tx-sol",
    flags: ["--transaction", SERIALIZED],
    bodies: [`{"transaction":"${SERIALIZED}"}`],
    honest: ({ name }) => (name === "real" ? 7 : 0),
    mute: true,
  },
  {
    name: "stellar",
    relayer: "xlm-1",
    id: "tx-xlm",
    flags: ["--network", "testnet", "--transaction-xdr", "AAAAAgAAAAA=", "--memo", `hash:${HEX}`],
    bodies: [
      `{"transaction_xdr":"AAAAAgAAAAA=","memo":{"type":"hash","value":[${BYTES}]},"network":"testnet"}`,
      `{"transaction_xdr":"AAAAAgAAAAA=","memo":{"type":"hash","value":"${HEX}"},"network":"testnet"}`,
    ],
    honest: ({ name }) => (name === "real" ? 14 : 0),
    mute: true,
  },
];

function request({ relayer, id }: Pick<Replacement, "relayer" | "id">) {
  return { method: "PUT", path: `/api/v1/relayers/${relayer}/transactions/${id}` };
}

function moreOf({ honest, mute }: Replacement) {
  return { ...(honest && { honest }), ...(mute && { mute }) };
}

function typed(replacement: Replacement): Command {
  const { name, relayer, id, flags, bodies } = replacement;
  return {
    name: `tx replace: ${name}`,
    argv: ["tx", "replace", relayer, id, ...flags, "--yes"],
    request: request(replacement),
    kind: "once",
    bodies,
    item: id,
    readsFirst: true,
    ...moreOf(replacement),
  };
}

function byApi(replacement: Replacement): Command {
  const { name, relayer, id, bodies } = replacement;
  return {
    name: `api PUT: ${name}`,
    argv: ["api", "PUT", `/relayers/${relayer}/transactions/${id}`, "-f", "body.json", "--yes"],
    files: { "body.json": bodies[0] ?? "" },
    request: request(replacement),
    kind: "once",
    bodies,
    item: id,
    ...moreOf(replacement),
  };
}

const OPERATIONS = '[{"type":"upload_wasm","wasm":{"hex":"0061736d"}}]';

/** A second POST is a second transaction (facts 5.3). */
const SENDINGS: readonly Command[] = [
  {
    relayer: "evm-1",
    flags: ["--to", TO, "--value", MAX_U128, "--speed", "fast"],
    body: `{"value":"${MAX_U128}","to":"${TO}","speed":"fast"}`,
  },
  {
    relayer: "xlm-1",
    flags: ["--network", "testnet", "--operations", "operations.json"],
    body: `{"operations":${OPERATIONS},"network":"testnet"}`,
    mute: true as const,
  },
].map(({ relayer, flags, body, ...more }) => ({
  name: `tx send: ${relayer}`,
  argv: ["tx", "send", relayer, ...flags, "--yes"],
  files: { "operations.json": OPERATIONS },
  request: { method: "POST", path: `/api/v1/relayers/${relayer}/transactions` },
  kind: "once",
  bodies: [body],
  item: relayer,
  readsFirst: true,
  ...more,
}));

/** The response is enough, even for a service that can't return the record. */
const FOLLOWED_SENDING = row(
  `tx send evm-1 --to ${TO} --value 5 --speed safeLow --yes --wait --no-chain`,
  "POST /relayers/evm-1/transactions",
  {
    name: "tx send --wait",
    ...{ kind: "once", bodies: [`{"value":"5","to":"${TO}","speed":"safeLow"}`], readsFirst: true, waits: true },
  },
);

const READS: readonly Command[] = [
  row("tx list evm-1", "GET /relayers/evm-1/transactions", { list: true, shows: ["submitted"] }),
  ...["tx list", "tx stuck"].map((line) =>
    row(line, "GET /relayers", {
      name: line === "tx list" ? "tx list of the fleet" : line,
      ...{ item: "relayers", list: true, shows: ["tx-evm", "tx-xlm"] },
    }),
  ),
  row("tx get evm-1 tx-evm", "GET /relayers/evm-1/transactions/tx-evm", {
    item: "tx-evm",
    shows: ["tx-evm"],
    honest: (_, routes) => (routes ? 0 : 5),
  }),
];

const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Nothing is changed: what was built is for a user to sign. */
const SPONSORED: readonly Command[] = [
  { verb: "quote", shows: "151.73" },
  { verb: "build", shows: "AQABAg==" },
].map(({ verb, shows }) =>
  row(
    `tx ${verb} sol-1 --transaction ${SERIALIZED} --fee-token ${MINT}`,
    `POST /relayers/sol-1/transactions/sponsored/${verb}`,
    { readsFirst: true, shows: [shows] },
  ),
);

/** A read of the record proves a cancellation, if the service has one (promises 7.2). */
const CANCELLATION = row("tx cancel evm-1 tx-evm --yes", "DELETE /relayers/evm-1/transactions/tx-evm", {
  ...{ kind: "remove", bodies: [""], item: "tx-evm", readsFirst: true },
  provable: (_, routes) => routes,
});

/** One by one: here there is one, and what it claims is what a cancellation by itself claims. */
const CANCELLATIONS: Command = {
  ...CANCELLATION,
  name: "tx cancel-pending",
  argv: ["tx", "cancel-pending", "evm-1", "--yes"],
  outwaits: true,
};

/** What is not typed is copied from the transaction, so that it has to be there. */
const INHERITING = row(
  "tx replace evm-1 tx-evm --inherit --speed fast --yes",
  "PUT /relayers/evm-1/transactions/tx-evm",
  {
    name: "tx replace --inherit",
    kind: "once",
    bodies: [`{"to":"${OWN}","value":1000,"gas_limit":21000,"speed":"fast"}`],
    ...{ item: "tx-evm", readsFirst: true, needsRoutes: true },
  },
);

/** The same transaction at a higher price, and then its record until the new version is seen on its way. */
const BUMP: Command = {
  ...INHERITING,
  name: "tx bump",
  argv: ["tx", "bump", "evm-1", "tx-evm", "--yes"],
  bodies: [`{"to":"${OWN}","value":1000,"gas_limit":21000,"speed":"fastest"}`],
  waits: true,
};

/** It could continue, but never after a lost response. */
const BUMP_UNTIL_MINED: Command = {
  ...BUMP,
  name: "tx bump --until mined",
  argv: [...BUMP.argv, "--until", "mined", "--every", "5s", "--times", "1"],
};

/** A little too low for the second raise of the price. */
const CAP = 11_500_000_000n;

/** The cap is raised before the request that the faults happen to, and restored whatever happens to that one. */
const BUMP_WITH_RAISED_CAP: Command = {
  ...BUMP,
  name: "tx bump --raise-cap",
  argv: [...BUMP.argv, "--raise-cap"],
  item: "evm-1",
  raisedCap: CAP,
};

/** The same, if raising or restoring the cap is what fails. */
const BUMP_WITH_STUCK_CAP: Command = {
  ...BUMP_WITH_RAISED_CAP,
  name: "tx bump --raise-cap: the cap",
  faulty: { method: "PATCH", path: "/api/v1/relayers/evm-1" },
};

/** The chain shows the outcome, even for a service that can't return the record. */
const FOLLOWED: readonly Command[] = [...REPLACEMENTS.slice(0, 1).map(typed), CANCELLATION, CANCELLATIONS].map(
  (command) => ({
    ...command,
    name: `${command.name} --wait`,
    argv: [...command.argv, "--wait", "--for", "mined"],
    waits: true,
  }),
);

export const transactionCommands: readonly Command[] = [
  ...READS,
  ...SPONSORED,
  ...REPLACEMENTS.map(typed),
  ...REPLACEMENTS.map(byApi),
  ...SENDINGS,
  FOLLOWED_SENDING,
  CANCELLATION,
  CANCELLATIONS,
  INHERITING,
  BUMP,
  BUMP_UNTIL_MINED,
  BUMP_WITH_RAISED_CAP,
  BUMP_WITH_STUCK_CAP,
  ...FOLLOWED,
];
