import { describe, expect, test } from "vitest";
import { cli } from "../helpers/cli.ts";

const ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const TO = "0x8617e340b3d01fa5f11f306f4090fd50e238070d";
const SENDING = `--to ${TO} --value 0.01eth --speed fast --gas-limit 21000`;
const REPLACE = `tx replace eth-main-1 ${ID} --value 0.25eth --to ${TO} --speed fast`;
const LONG_ID = "2b0d7b5e-4a38-4b0e-9c1d-0e5f6a7b8c9d";
const CREATE = "--name Ops --network sepolia --network-type evm --signer-id signer-1";

/** Commands whose demo holds a relayer with an ID of 36 characters, that the service has disabled. */
const SCREENS: readonly (readonly string[])[] = [
  [
    `relayers create --id ${LONG_ID} ${CREATE}`,
    "relayers list",
    "relayers status",
    "relayers list --fields id,name,address,state",
  ],
  ["tx list eth-main-1", "networks list", "notifications list", `tx get eth-main-1 ${ID}`, "history"],
  [REPLACE, `tx cancel eth-main-1 ${ID}`, "relayers delete sol-pay", `tx send eth-main-1 ${SENDING}`],
];
const RECEIPTS = [
  "relayers update eth-main-1 --policy gas_price_cap=120gwei",
  "relayers update eth-main-1 --name Ops --policy min_balance=1eth",
  "relayers pause eth-main-1 base-hot --yes",
  "relayers resume eth-main-2",
  `${REPLACE} --yes`,
  "tx cancel eth-main-1 7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f --yes",
  `tx send eth-main-1 ${SENDING} --yes`,
  "tx cancel-pending polygon-bulk --yes",
  "notifications create --id pager --url https://hooks.example.org/pager",
  "notifications update pager --url https://hooks.example.org/pager-2",
  "notifications delete pager --yes",
  "networks update evm:sepolia --rpc-url https://rpc.example.org --yes",
];
const ERRORS = [
  "relayers get eth-main-9",
  "relayers list --where foo=1 --sort bar",
  "relayers list --fields id,nmae",
  "relayers list --limit x --page y",
  "relayers update eth-main-1",
  "relayers update eth-main-1 --policy gas_price_cap=12",
  "relayers update eth-main-1 --policy nonsense=1",
  "relayers update eth-main-1 --policies {",
  "relayers pause",
  "relayers pause --where network=none --yes",
  "relayers delete eth-main-1 --yes",
  `tx get eth-main-1 ${LONG_ID}`,
  `tx replace eth-main-1 ${ID} --value 0.1 --speed quick --to 0x12`,
  `tx send eth-main-1 ${SENDING.replace("0.01eth", "500eth")} --yes`,
  `tx send sol-pay ${SENDING} --yes`,
  `tx cancel eth-main-1 ${ID}`,
  "notifications create",
  "notifications get nothing",
  "context use nothing",
  "auth token --context nothing",
  "nonsense",
];

/** What a terminal shows of commands on one service; a question is answered with no. */
async function shownAt(columns: number, lines: readonly string[]) {
  const { memoryStore } = await import("../../src/embedded-server/state/store.ts");
  const { seedState } = await import("../../src/embedded-server/seed.ts");
  const store = memoryStore(seedState("demo"));
  const shown: { line: string; stdout: string; stderr: string }[] = [];
  for (const line of lines) {
    const answers = /--yes|--no-input/.test(line) ? [] : [false];
    const world = { store, terminal: true, answers, columns };
    const { stdout, stderr } = await cli(line, world);
    shown.push({ line, stdout: stdout.replaceAll(/\u001b\[\d+m/g, ""), stderr });
  }
  return shown;
}

const WIDTHS = [60, 80, 100, 140];
const CASES = { screens: SCREENS.flat(), receipts: RECEIPTS, errors: ERRORS.map((line) => `${line} --no-input`) };

describe.each(Object.entries(CASES))("%s on a terminal", (name, lines) => {
  test.each(WIDTHS)("of %d columns", async (columns) => {
    const shown = await shownAt(columns, lines);
    const text = shown.map(({ line, stdout, stderr }) => `$ relayctl ${line}\n${stdout}${stderr}`).join("\n");
    await expect(text).toMatchFileSnapshot(`screens/${name}-${columns}.txt`);
  });

  test("never break an ID, a hash, a flag, or a command", async () => {
    const whole = await shownAt(10_000, lines);
    for (const columns of WIDTHS) {
      for (const [index, { line, stdout, stderr }] of (await shownAt(columns, lines)).entries()) {
        const at = `${line}, ${columns} columns`;
        const known = `${whole[index]?.stdout}${whole[index]?.stderr}`;
        for (const token of tokensOf(whole[index]?.stderr ?? "")) expect(stderr, at).toContain(token);
        for (const token of tokensOf(stdout)) expect(known, at).toContain(token);
      }
    }
  });
});

test("the state of relayers is there at every width", async () => {
  for (const columns of WIDTHS) {
    const [, list] = await shownAt(columns, SCREENS[0] ?? []);
    expect(list?.stdout.split("\n")[0]).toMatch(/^ {2}ID .*\bSTATE\b/);
    expect(list?.stdout).toMatch(new RegExp(`^● ${LONG_ID} .*active|^✗ ${LONG_ID} .*disabled`, "m"));
  }
});

/** Returns the hashes, addresses, IDs, flags, and commands in a text. */
function tokensOf(text: string): string[] {
  const commands = text.split("\n").flatMap((line) => / (relayctl [a-z-].*)$/.exec(line)?.[1] ?? []);
  const words = text.match(/0x[0-9a-fA-F]{8,}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|(?<= )--[a-z][a-z-]+/g) ?? [];
  return [...commands, ...words];
}
