import { execFileSync } from "node:child_process";
import type { InjectedFailure } from "../../../src/contract/serving.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { evmSeedTransaction } from "../../../src/embedded-server/seed/transactions.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { createServerState, type KeptState } from "../../../src/embedded-server/state/state.ts";
import { memoryStore, type ServerStore } from "../../../src/embedded-server/state/store.ts";
import type { FindingItem } from "../../../src/views/doctor/report.ts";
import { cli, type Ran, TOKEN, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { argvUnderSh } from "../../helpers/shell.ts";

const RECEIVER = "0x52908400098527886E0F7030069857D2E4169EE7";
export const ETH = 10n ** 18n;
export const MAIN = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const NOW = Date.parse("2026-11-21T03:12:07Z");

export interface Report {
  findings: FindingItem[];
  skipped: { code: string | null; relayer: string | null; reason: string }[];
}

const without = (fields: object): Resource =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Resource;

/** An EVM relayer with nothing to find. */
export function well(fields: object = {}, policies: object = {}): Resource {
  return without({
    id: "r1",
    name: "R1",
    network: "mainnet",
    network_type: "evm",
    address: MAIN,
    signer_id: "s1",
    notification_id: "ops",
    paused: false,
    system_disabled: false,
    ...fields,
    policies: without({
      eip1559_pricing: true,
      gas_price_cap: 80_000_000_000,
      min_balance: ETH / 10n,
      whitelist_receivers: [RECEIVER],
      ...policies,
    }),
  });
}

const STELLAR = "GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM";
export const stellar = (fields: object = {}): Resource => ({
  ...well({ id: "xlm", network: "testnet", network_type: "stellar", address: STELLAR }),
  policies: { fee_payment_strategy: "relayer", min_balance: 1_000_000 },
  ...fields,
});

export const solana = (fields: object = {}): Resource => ({
  ...well({ id: "sol", network: "devnet", network_type: "solana" }),
  address: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  policies: { fee_payment_strategy: "user", min_balance: 10_000_000 },
  ...fields,
});

/** A relayer that the service disabled for these reasons. */
export function disabledBy(types: readonly string[], fields: object = {}): Resource {
  const [first] = types;
  const reason =
    types.length < 2 ? { type: first ?? "Other" } : { type: "Multiple", details: types.map((type) => ({ type })) };
  return well({ system_disabled: true, ...(first !== undefined && { disabled_reason: reason }), ...fields });
}

/** A notification with nothing to find. */
export const hook = (fields: object = {}): Resource =>
  without({
    id: "ops",
    type: "webhook",
    url: "https://hooks.example.org/ops",
    signing_key: "a-signing-key-of-at-least-32-bytes",
    ...fields,
  });

/** The record of a transaction of `r1`, sent some minutes ago. */
export function record(id: string, minutes: number, fields: object = {}): Resource {
  const sent = new Date(NOW - minutes * 60_000).toISOString().replace("Z", "+00:00");
  return evmSeedTransaction(Number.parseInt(id.replace(/\D/g, ""), 10) || 1, {
    id,
    relayer_id: "r1",
    status: "submitted",
    created_at: sent,
    sent_at: sent,
    from: MAIN,
    to: RECEIVER,
    value: "1000",
    nonce: 0,
    max_fee_per_gas: "30000000000",
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
    is_canceled: false,
    ...fields,
  });
}

export function serviceWith(relayers: readonly Resource[], more: KeptState = {}): ServerStore {
  return memoryStore(createServerState({ relayers, notifications: [hook()], ...more }));
}

/** Changes what a service responds, e.g. its date. */
export type Alteration = (request: WireRequest, reply: WireReply) => WireReply;

/** Returns an alteration that replaces a text in the responses to requests with this path, and body if given. */
export function altered(path: RegExp, from: string | RegExp, to: string, asked = ""): Alteration {
  return ({ target, body = "" }, reply) => {
    if (!path.test(target) || !body.includes(asked)) return reply;
    const text = new TextDecoder().decode(reply.body).replaceAll(from, to);
    return { ...reply, body: new TextEncoder().encode(text) };
  };
}

/** A service, and how it differs from a healthy one. */
export interface Sick {
  relayers?: readonly Resource[];
  more?: KeptState;
  failures?: readonly InjectedFailure[];
  /** Whether it responds like the real service. */
  isReal?: true;
  alter?: Alteration | undefined;
  world?: World;
}

/** Returns the world of a service, and a function that lets time pass in it. */
export function ward({ relayers = [well()], more = {}, failures = [], isReal, alter, world }: Sick) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(NOW, interrupt);
  const random = { uuid: () => crypto.randomUUID(), fraction: () => 0.5 };
  const store = serviceWith(relayers, more);
  const server = createEmbeddedServer({
    token: TOKEN,
    store,
    clock,
    random,
    failures,
    ...(isReal && { dialect: openzeppelinDialect(random) }),
  });
  const service: World["service"] = async (request) => {
    const reply = await server(request);
    return alter ? alter(request, reply) : reply;
  };
  return { world: { service, clock, interrupt, ...world } satisfies World, pass: (time: number) => clock.sleep(time) };
}

export async function examined(world: World, line = "doctor"): Promise<Ran & Report> {
  const ran = await cli(`${line} -o json`, world);
  return { ...ran, ...(JSON.parse(ran.stdout) as Report) };
}

/** Returns each finding in a few words: `fail REL-PAUSED r1`. */
export function words({ findings }: Pick<Report, "findings">): string[] {
  return findings.map(({ severity, code, relayer }) => [severity, code, relayer].filter(Boolean).join(" "));
}

/** A row of the tables: what is sick, and what is found, in the order of the report. */
export type Row = readonly [title: string, sick: Sick, finds: readonly string[]];

/** Expects exactly these findings, in at most five lines of 80 columns, and that each command fixes its finding. */
export async function expectRow([, sick, finds]: Row): Promise<void> {
  const { world } = ward(sick);
  const found = await examined(world);
  expect(words(found), JSON.stringify(found.findings.map(({ message }) => message))).toEqual(finds);
  await expectShort(sick);
  for (const { code, command } of found.findings)
    if (command !== null && !isLeft(code, command)) await expectCure(sick, code, filled(command));
}

const FILLED: Readonly<Record<string, string>> = {
  URL: "https://other.example.org",
  FILE: "signing-key",
  ADDRESS: RECEIVER,
  AMOUNT: "1eth",
  PRICE: "200gwei",
};

/** A login has no end here; the altered nodes stay as they are; a notification that is created is then offered. */
function isLeft(code: string, command: string): boolean {
  return / auth login$|notifications create /.test(command) || code === "RPC-CHAIN" || code === "RPC-BEHIND";
}

function filled(command: string): string {
  return command.replace(/\b(?:URL|FILE|ADDRESS|AMOUNT|PRICE)\b/g, (word) => FILLED[word] ?? word);
}

async function expectShort(sick: Sick): Promise<void> {
  const { stdout } = await cli("doctor --notes --color never", { ...ward(sick).world, terminal: true, columns: 80 });
  const findings = stdout.split(/^(?=[✗!·] )/m).filter((text) => text !== "" && !text.startsWith("· skipped "));
  for (const text of findings) {
    const lines = text.trimEnd().split("\n");
    expect(lines.length, text).toBeLessThanOrEqual(5);
    for (const line of lines)
      if (!/relayctl|[0-9A-Za-z-]{36}/.test(line)) expect(line.length, line).toBeLessThanOrEqual(80);
  }
}

const MINUTES = 60_000;

async function expectCure(sick: Sick, code: string, command: string): Promise<void> {
  // Workers that are dead stay so: a command helps once they work again.
  const { failures = [], ...others } = sick;
  const { world, pass } = ward({ ...others, failures: failures.filter(({ method }) => method !== "WORKER") });
  const answers = [true, true, true, true];
  const files = { "signing-key": "k".repeat(40) };
  if (command.startsWith("chmod ")) {
    execFileSync("/bin/sh", ["-c", command]);
    return expectEnded(world, code, command);
  }
  const ran = await cli(argvUnderSh("relayctl", command), { ...world, terminal: true, columns: 200, answers, files });
  expect(ran.exitCode, `${command}: ${ran.stderr}`).toBe(0);
  await pass(5 * MINUTES);
  await expectEnded(world, code, command);
}

async function expectEnded(world: World, code: string, command: string): Promise<void> {
  const after = await examined(world);
  expect(
    after.findings.map((each) => each.code),
    command,
  ).not.toContain(code);
}
