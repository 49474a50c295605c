import fc from "fast-check";
import { SURROUNDINGS } from "../cli/example-surroundings.ts";
import { cli, TOKEN, type World } from "../helpers/cli.ts";
import { chosen, DEEP, runs, sampled } from "../helpers/deep.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { intent, outcome } from "./history/recorded.ts";

const ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const TO = "0x8617e340b3d01fa5f11f306f4090fd50e238070d";
const SENDING = `--to ${TO} --value 0.01eth --speed fast --gas-limit 21000`;
const REPLACE = `tx replace eth-main-1 ${ID} --value 0.25eth --to ${TO} --speed fast`;
const LONG_ID = "2b0d7b5e-4a38-4b0e-9c1d-0e5f6a7b8c9d";
const MINED = "a1b2c3d4-e5f6-4718-a93a-4b5c6d7e8f90";
const SENT = "e5f60718-293a-4b4c-8d5e-6f708192a3b4";
const CREATE = "--name Ops --network sepolia --network-type evm --signer-id signer-1";

/** Tables, whose columns depend on the width, of a demo with a relayer whose ID has 36 characters, and that the service disabled. */
const TABLES: readonly string[] = [
  `relayers create --id ${LONG_ID} ${CREATE}`,
  "relayers list",
  "relayers status",
  "relayers list --fields id,name,address,state",
  "tx list eth-main-1",
  "tx list",
  "tx stuck",
  "networks list",
  "notifications list",
  "history --demo",
  `tx wait base-hot ${MINED} ${SENT}`,
  "doctor --demo",
];
const OTHERS: readonly string[] = [
  `tx get eth-main-1 ${ID}`,
  "history show 3f2a91c0 --demo",
  REPLACE,
  `tx cancel eth-main-1 ${ID}`,
  "relayers delete sol-pay",
  `tx send eth-main-1 ${SENDING}`,
  "relayers unstick eth-main-1 --demo",
  "tx cancel-pending eth-main-1",
  "relayers pause eth-main-1 base-hot",
  "tx send-many eth-main-1 -f pay.csv --speed fast --demo",
  `tx wait base-hot ${MINED}`,
  `tx wait base-hot ${SENT}`,
];
const WAITING = "3c4d5e6f-7081-4293-a4b5-c6d7e8f90a1b";
const SIGNER = "--type vault --address https://vault.example.org --role-id-file role --secret-id-file secret";
const RECEIPTS = [
  "relayers create --id hot-2 --name 'Hot 2' --network sepolia --network-type evm --signer-id signer-1",
  "relayers update eth-main-1 --policy gas_price_cap=120gwei",
  "relayers update eth-main-1 --name Ops --policy min_balance=1eth",
  "relayers update base-hot polygon-bulk --policy gas_price_cap=90gwei --yes",
  "relayers update sol-pay --no-notification-id",
  `${REPLACE} --yes`,
  "tx bump eth-main-1 1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9 --yes",
  "tx cancel eth-main-1 7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f --yes",
  `tx cancel eth-main-1 ${WAITING} --yes`,
  `tx send eth-main-1 ${SENDING} --yes`,
  "tx cancel-pending polygon-bulk --yes",
  "relayers pause eth-main-1 base-hot --yes",
  "relayers pause eth-main-1",
  "relayers resume eth-main-2",
  "relayers freeze xlm-treasury sol-pay --confirm '2 relayers'",
  "relayers delete hot-2 --yes",
  "notifications create --id pager --url https://hooks.example.org/pager",
  "notifications update pager --url https://hooks.example.org/pager-2",
  "notifications delete pager --yes",
  `signers create --id vault-2 ${SIGNER} --key-name relayer`,
  "signers delete vault-2 --yes",
  "networks update evm:sepolia --rpc-url https://rpc.example.org --yes",
  "plugins update rebalance --plugin-timeout 60s --emit-logs",
  "plugins call rebalance /quote --get --parameter network=base --yes",
  "undo --yes --demo",
  "api PATCH /relayers/base-hot -f body.json --yes",
  "auth login --context eu --server https://eu.example.org --token-file token.txt",
  "auth logout --context staging",
  "context set eu --server https://eu.example.org --protected",
  "context set prod --max-value 1eth --max-per-day 10eth",
  "context use staging",
  "context delete staging --yes",
];
const ERRORS = [
  "relayers get eth-main-9",
  "relayers get eth-main-1 eth-main-9 nothing",
  "relayers list --where foo=1 --sort bar",
  "relayers list --fields id,nmae",
  "relayers list --limit x --page y",
  "relayers --limit 5 list",
  "relayers list --yes --stuck 10m",
  "relayers update eth-main-1",
  "relayers update eth-main-1 --policy gas_price_cap=12",
  "relayers update eth-main-1 --policy gas_price_cap=12gwie",
  "relayers update eth-main-1 --policy nonsense=1",
  "relayers update eth-main-1 --policies {",
  "relayers update xlm-pay --name Pay",
  "relayers pause",
  "relayers pause --where network=none --yes",
  "relayers pause eth-main-1 eth-sepolia xlm-pay --yes",
  "relayers delete eth-main-1 --yes",
  "relayers create --id eth-main-1 --name Ops --network sepolia --network-type evm --signer-id signer-1",
  `tx get eth-main-1 ${LONG_ID}`,
  `tx replace eth-main-1 ${ID} --value 0.1 --speed quick --to 0x12`,
  `tx send eth-main-2 ${SENDING} --yes`,
  `tx send eth-main-1 ${SENDING.replace("0.01eth", "500eth")} --yes`,
  `tx send eth-main-1 ${SENDING.replace("0.01eth", "1xlm")} --yes`,
  `tx send sol-pay ${SENDING} --yes`,
  `tx cancel eth-main-1 ${ID}`,
  `tx bump polygon-bulk d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293 --yes`,
  "notifications create",
  "notifications create --id pager --url ftp://hooks.example.org --signing-key abc",
  "notifications get nothing",
  "signers delete signer-1 --yes",
  "networks get evm:nowhere",
  "plugins call nothing --yes",
  "context use nothing",
  "auth token --context nothing",
  "auth login --server http://relayer.example.org --token-file token.txt",
  "nonsense",
];

const FILES: Record<string, string> = {
  "token.txt": TOKEN,
  "body.json": '{"name":"Base hot wallet"}',
  "pay.csv": `to,value\n${Array.from({ length: 9 }, (_, row) => `${TO.slice(0, -1)}${row},0.00${row + 1}eth`).join("\n")}\n`,
  role: "a-role-id-of-vault",
  secret: "a-secret-id-of-vault",
};

/** A journal with a run that gave a relayer its present name, and a run that paused another. */
function renamed() {
  const run = "3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f";
  const demo = { server: "http://demo.localhost", context: "demo", run };
  const [before, after] = [
    { id: "base-hot", name: "Base" },
    { id: "base-hot", name: "Base hot" },
  ];
  return memoryJournal({
    entries: [
      intent("b", { ...demo, ...PAUSE }),
      outcome("b", { run: PAUSE.run, after: { id: "eth-main-2", paused: true } }),
      intent("a", { ...demo, body: { name: "Base hot" }, before }),
      outcome("a", { run, after }),
    ],
  });
}

const PAUSE = {
  run: "91c4e0aa-5d1e-4b7a-9c46-0a1b2c3d4e5f",
  command: "relayctl relayers pause eth-main-2",
  target: "/api/v1/relayers/eth-main-2",
  ids: { relayer_id: "eth-main-2" },
  body: { paused: true },
  before: { id: "eth-main-2", paused: false },
};

/** What some commands need besides the demo. */
function worldOf(line: string): World {
  const [noun = ""] = line.split(" ");
  const stored = noun === "auth" || noun === "context" ? SURROUNDINGS["context set"] : undefined;
  return { files: FILES, ...stored, ...(/^(?:undo|history|tx send-many) /.test(line) && { journal: renamed() }) };
}

/** Returns what a terminal shows of commands on one service, with "no" at each question. */
async function shownAt(columns: number, lines: readonly string[]) {
  const { memoryStore } = await import("../../src/embedded-server/state/store.ts");
  const { seedState } = await import("../helpers/seed-state.ts");
  const store = memoryStore(seedState("demo"));
  const shown: { line: string; stdout: string; stderr: string }[] = [];
  for (const line of lines) {
    const answers = /--yes|--no-input|--confirm/.test(line) ? [] : [false];
    const world = { store, terminal: true, answers, columns, ...worldOf(line) };
    const { stdout, stderr } = await cli(line, world);
    const left = stdout.replace(/\u001b\[\?1049h[\s\S]*\u001b\[\?1049l/, "");
    shown.push({ line, stdout: left.replaceAll(/\u001b\[\d+m/g, ""), stderr });
  }
  return shown;
}

const WIDTHS = [60, 80, 100, 140];
/** Sentences are only wrapped: two widths show that. */
const CASES: readonly (readonly [name: string, lines: readonly string[], widths: readonly number[]])[] = [
  ["tables", TABLES, WIDTHS],
  ["others", OTHERS, [60, 80]],
  ["receipts", RECEIPTS, [60, 80]],
  ["errors", ERRORS.map((line) => `${line} --no-input`), [60, 80]],
];

describe.each(CASES)("%s on a terminal", (name, lines, widths) => {
  test.each(name === "tables" ? widths : chosen(widths, 1))("of %d columns", async (columns) => {
    const shown = await shownAt(columns, lines);
    const text = shown.map(({ line, stdout, stderr }) => `$ relayctl ${line}\n${stdout}${stderr}`).join("\n");
    await expect(text).toMatchFileSnapshot(`screens/${name}-${columns}.txt`);
  });

  test("never break an ID, a hash, a flag, or a command at any width", async () => {
    const some = sampled(lines, 3);
    const whole = await shownAt(10_000, some);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 40, max: 200 }), async (columns) => {
        for (const [index, { line, stdout, stderr }] of (await shownAt(columns, some)).entries()) {
          const at = `${line}, ${columns} columns`;
          const known = `${whole[index]?.stdout}${whole[index]?.stderr}`;
          const [read, listed] = [stderr, stdout].map((text) => text.replaceAll(/ \\\n +/g, " ")) as [string, string];
          for (const token of tokensOf(whole[index]?.stderr ?? "")) expect(read, at).toContain(token);
          for (const token of tokensOf(listed)) expect(known, at).toContain(token);
          expect(`${stdout}${stderr}`, at).not.toMatch(/\d\n *(?:gwei|wei|lamports?|stroops?|ETH|POL|SOL|XLM|m?s)\b/);
        }
      }),
      runs(1, 160),
    );
  });
});

test("the state of relayers, and the status of transactions, are there at every width", async () => {
  const lists = ["relayers list", "tx list eth-main-1", "tx list"];
  for (let columns = 40; columns <= 200; columns += DEEP ? 1 : 80) {
    const [, list] = await shownAt(columns, TABLES.slice(0, 4));
    expect(list?.stdout.split("\n")[0]).toMatch(/^ {2}ID .*\bSTATE\b/);
    expect(list?.stdout).toMatch(new RegExp(`^● ${LONG_ID} .*active|^✗ ${LONG_ID} .*disabled`, "m"));
    for (const { line, stdout } of await shownAt(columns, lists))
      expect(stdout.split("\n")[0], `${line}, ${columns} columns`).toMatch(/\b(?:STATE|STATUS)\b/);
  }
});

test.each(["tx stuck --all", "tx list"])("%s shows every ID at every width", async (line) => {
  const [whole] = await shownAt(10_000, [line]);
  const ids = tokensOf(whole?.stdout ?? "");
  expect(ids.length).toBeGreaterThan(8);
  for (const columns of [40, ...WIDTHS]) {
    const [shown] = await shownAt(columns, [line]);
    expect(ids.filter((id) => !shown?.stdout.includes(id) && id.includes("-"))).toEqual([]);
  }
});

function tokensOf(text: string): string[] {
  const commands = text.split("\n").flatMap((line) => / (relayctl [a-z-].*)$/.exec(line)?.[1] ?? []);
  const words = text.match(/0x[0-9a-fA-F]{8,}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|(?<= )--[a-z][a-z-]+/g) ?? [];
  return [...commands, ...words];
}
