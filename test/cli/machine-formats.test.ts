import { cli, runHere, testApp } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";

const ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const LINES = [
  "relayers list",
  "relayers get eth-main-1",
  "relayers status",
  "relayers balance eth-main-1",
  "tx list eth-main-1",
  `tx get eth-main-1 ${ID}`,
  "tx stuck",
  "networks list",
  "notifications list",
  "signers list",
  "plugins list",
  "doctor",
  "history",
  "context list",
  "find ops-hook",
  "plan",
  "relayers update eth-main-1 --name Ops",
  "relayers get nobody",
];
const FORMATS = ["json", "ndjson", "yaml", "csv", "tsv", "name", "raw", "prom"];
const CASES = LINES.flatMap((line) =>
  FORMATS.flatMap((format) => [`--color always`, ""].map((flag): [string] => [`${line} -o ${format} ${flag}`.trim()])),
);

test.each(sampled(CASES, 47))("%s into a pipe prints no escape in any color setting", async (line) => {
  const { stdout } = await cli(`${line} --demo`, { env: { FORCE_COLOR: "3", CLICOLOR_FORCE: "1" } });
  expect(stdout).not.toContain("\u001b");
});

test.each([
  ["relayers get nobody --demo --color always", {}, "\u001b[1merror:\u001b[22m"],
  ["relayers get nobody --demo", { FORCE_COLOR: "1" }, "\u001b[2m  hint:\u001b[22m"],
  [
    "relayers update eth-main-1 --policy gas_price_cap=120gwei --demo",
    { FORCE_COLOR: "1" },
    "\u001b[2mundo:\u001b[22m relayctl --demo",
  ],
])("%s colors the first words on stderr, even in a pipe", async (line, env, shown) => {
  const made = testApp({ env });
  await runHere(made, line.split(" "));
  expect(made.stderr.text()).toContain(shown);
  expect((await cli(`${line} -o json`, { env })).exitCode).toBeLessThan(6);
  const asJson = testApp({ env });
  await runHere(asJson, [...line.split(" "), "-o", "json"]);
  expect(asJson.stderr.text().trimEnd().split("\n").at(-1)).not.toMatch(/\u001b.*\{/);
});

test.each(["csv", "tsv", "name", "raw", "prom"])("-o %s also prints no escape on a terminal", async (format) => {
  for (const line of sampled(LINES, 2, format.length)) {
    const { stdout } = await cli(`${line} -o ${format} --color always --demo`, { terminal: true });
    if (format !== "raw") expect(stdout, line).not.toContain("\u001b");
  }
});
