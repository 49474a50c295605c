import fc from "fast-check";
import { idProblem } from "../../../src/contract/id.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { createServerState } from "../../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { cli, exits, SERVER, TOKEN } from "../../helpers/cli.ts";
import { runs } from "../../helpers/deep.ts";
import { CANNOT_UNDO, undoIn } from "../../helpers/receipts.ts";
import { argvUnder } from "../../helpers/shell.ts";

const RUNS = runs(5, 600);

const part = fc.oneof(
  fc.constantFrom(
    "\u001b[2J",
    "\u202e",
    "\u200b",
    "\u00a0",
    "\n",
    "\t",
    "'",
    "\\",
    '"',
    "!",
    "$HOME",
    "`id`",
    "👨‍👩‍👧",
  ),
  fc.constantFrom("-", "--paused", "@", "=", ",weight=3", " ", "true", "null", "0x5", "***", "é", "\\u{1b}"),
  fc.string({ unit: anyCharacter, maxLength: 3 }),
);
const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
const odd = fc.oneof({ arbitrary: text, weight: 9 }, fc.constantFrom("", "\0", "false", TOKEN));
const id = text.filter((one) => idProblem(one) === undefined);
const url = fc.oneof(
  { arbitrary: fc.constantFrom("https://a.example", "https://b.example/"), weight: 5 },
  fc.constantFrom("https://c.example/v2/KEY", "http://d.example,weight=1"),
  text.map((host) => `https://${host}`),
);
const amount = fc.oneof(fc.nat(), fc.constantFrom(5n * 10n ** 18n, 2n ** 64n + 1n));
const weight = fc.integer({ min: 0, max: 100 });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const rpcUrls = fc.array(fc.record({ url, weight }), { maxLength: 2 });

const POLICIES = {
  evm: fc.record({ gas_price_cap: amount, private_transactions: fc.boolean(), whitelist_receivers: fc.constant(null) }),
  solana: fc.record({
    max_signatures: fc.nat(255),
    fee_margin_percentage: fc.constantFrom(0.5, 7),
    allowed_accounts: fc.array(fc.constant("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"), { maxLength: 2 }),
  }),
} as const;

/** What is set in place of each old value. */
const CHANGES = {
  evm: ["gas_price_cap=77gwei", "private_transactions=true"],
  solana: [
    "max_signatures=9",
    "fee_margin_percentage=1.5",
    'allowed_accounts=["9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"]',
  ],
} as const;

const relayer = fc.constantFrom("evm" as const, "solana" as const).chain((kind) =>
  fc.record({
    id,
    network_type: fc.constant(kind),
    network: fc.constant("mainnet"),
    name: nullable(odd),
    notification_id: nullable(odd),
    paused: fc.boolean(),
    custom_rpc_urls: nullable(rpcUrls),
    policies: POLICIES[kind] as fc.Arbitrary<JsonObject>,
  }),
);

type Relayer = typeof relayer extends fc.Arbitrary<infer T> ? T : never;

const changed = fc.subarray(["--name", "--notification-id", "--paused", "--rpc-url", "--policy"], { minLength: 1 });

function flagsFor({ network_type: kind, paused }: Relayer, names: readonly string[]): string[] {
  const policies = CHANGES[kind].flatMap((policy) => ["--policy", policy]);
  const flags: Record<string, readonly string[]> = {
    "--name": ["--name", "a new name"],
    "--notification-id": ["--notification-id", "new-hook"],
    "--paused": [paused ? "--no-paused" : "--paused"],
    "--rpc-url": ["--rpc-url", "https://new.example"],
    "--policy": policies,
  };
  return names.flatMap((name) => flags[name] ?? []);
}

/** Null and absent are the same to the service. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : (one ?? undefined))));
}

function storeOf(before: Relayer) {
  const ids = ["new-hook", ...(before.notification_id ? [before.notification_id] : [])];
  const notifications = ids.map((one) => ({ id: one, type: "webhook", url: "https://hook.example" }));
  return memoryStore(createServerState({ relayers: [structuredClone(before) as Resource], notifications }));
}

const PLAIN: Relayer = {
  id: "r1",
  network_type: "evm",
  network: "mainnet",
  name: "Old",
  notification_id: null,
  paused: false,
  custom_rpc_urls: null,
  policies: { gas_price_cap: 5, private_transactions: false, whitelist_receivers: null },
};

/** One relayer for each of the three ways: a plain line, one with hidden characters, and a value that is not shown. */
const EXAMPLES: [Relayer, string[], "bash"][] = [
  [PLAIN, ["--name"], "bash"],
  [{ ...PLAIN, name: "\u001b[2J" }, ["--name"], "bash"],
  [{ ...PLAIN, name: TOKEN }, ["--name"], "bash"],
];

test("an undo line restores exactly the previous state, or explains why there is none", async () => {
  const seen = { undone: false, hidden: false, refused: false };
  await fc.assert(
    fc.asyncProperty(relayer, changed, fc.constantFrom("bash", "sh"), async (before, names, shell) => {
      const store = storeOf(before);
      const now = () => store.read((state) => withoutNulls(state.relayers.get(before.id)));
      const original = await now();
      const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, SHELL: `/bin/${shell}` };
      const world = { store, env, terminal: true, stdoutTerminal: false, answers: [before.id] };
      const done = await cli(["relayers", "update", ...flagsFor(before, names), "--yes", "--", before.id], world);
      // What the relayer holds may stand in the way of every change of its policies.
      expect([0, 2, 7], done.stderr).toContain(done.exitCode);
      if (done.exitCode !== 0) return;
      const [line] = undoIn(done.stderr);
      if (line === undefined) {
        seen.refused = true;
        expect(done.stderr).toContain(`\n${CANNOT_UNDO}: `);
        return;
      }
      // A cap that goes back a thousandfold is asked about, but the line agrees.
      await exits(0, argvUnder(`/bin/${shell}`, "relayctl", line), world);
      expect(await now()).toEqual(original);
      seen.undone = true;
      seen.hidden ||= line.includes("$'");
    }),
    { ...RUNS, examples: EXAMPLES },
  );
  expect(seen).toEqual({ undone: true, hidden: true, refused: true });
});
