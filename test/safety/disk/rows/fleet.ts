import { configOf, type Ended, type Life } from "../real-files.ts";
import type { Row } from "../row.ts";

const HOOK = `{"id":"audit-log","type":"webhook","url":"https://audit.example.org/moved"}`;
const PAGER = `{"id":"pager","type":"webhook","url":"https://pager.example.org/x"}`;
const relayer = (name: string) =>
  `{"id":"base-hot","name":"${name}","network":"base","network_type":"evm","signer_id":"signer-base","paused":false}`;
const FLEET = `{"notifications":[${HOOK},${PAGER}],"relayers":[${relayer("Renamed")}]}`;
const FILES = { "config.json": configOf(), "fleet.json": FLEET };
const row = (line: string, more: Partial<Row> = {}): Row => ({ line, files: FILES, ...more });
const SAVE = "plan -f FOLDER/fleet.json --out FOLDER/plan.json";

export const FLEET_ROWS: readonly Row[] = [
  row(SAVE, { ends: 20, replaces: ["plan.json"], after: applySaved }),
  row(SAVE, {
    ends: 20,
    replaces: ["plan.json"],
    before: [SAVE, "relayers pause eth-main-1 --yes"],
    after: applySaved,
  }),
  row("apply -f FOLDER/fleet.json --yes"),
  row("apply -f FOLDER/fleet.json --yes", { files: { ...FILES, "config.json": configOf({ journal: "required" }) } }),
  row("apply FOLDER/plan.json --yes", { before: [SAVE], after: applyFiles }),
  row("export -f FOLDER/fleet.yaml", { replaces: ["fleet.yaml"] }),
  row("export -f FOLDER/fleet.json", { replaces: ["fleet.json"] }),
  row("export -f FOLDER/one.json FOLDER/two.json", {
    files: { ...FILES, "one.json": `{"notifications":[${HOOK}]}`, "two.json": `{"relayers":[${relayer("x")}]}` },
    replaces: ["one.json", "two.json"],
  }),
];

/** A saved plan that is there is carried out. */
async function applySaved(life: Life, ended: Ended): Promise<string[]> {
  if (ended.exitCode !== 20) {
    const next = await life.run(ended.line);
    if (next.exitCode !== 20) return [`again: exit ${next.exitCode}: ${next.stderr}`];
  }
  return await applied(life, "apply FOLDER/plan.json --yes");
}

/** Whatever became of a saved plan, the files can be applied. */
async function applyFiles(life: Life): Promise<string[]> {
  return await applied(life, "apply -f FOLDER/fleet.json --yes");
}

async function applied(life: Life, line: string): Promise<string[]> {
  const { exitCode, stderr } = await life.run(line);
  const { exitCode: drift } = await life.run("drift -f FOLDER/fleet.json");
  return [
    ...(exitCode === 0 ? [] : [`${line}: exit ${exitCode}: ${stderr}`]),
    ...(drift === 0 ? [] : [`after ${line}, drift: exit ${drift}`]),
  ];
}
