import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDemoJournal } from "../../src/journal/open-once.ts";
import { removeFolder } from "../helpers/remove-folder.ts";

const state = mkdtempSync(join(tmpdir(), "relayctl-demo-journal-"));
const env = { RELAYCTL_CONFIG_DIR: state };
afterAll(() => removeFolder(state));

test("a reset of the demo removes its journal, and no other one", () => {
  for (const name of ["demo-journal", "journal"]) {
    mkdirSync(join(state, name));
    writeFileSync(join(state, name, "head.json"), "{}");
  }
  removeDemoJournal(env, "linux");
  expect([existsSync(join(state, "demo-journal")), existsSync(join(state, "journal/head.json"))]).toEqual([
    false,
    true,
  ]);
});

test("a reset of a demo without a journal removes nothing", () =>
  expect(() => removeDemoJournal(env, "linux")).not.toThrow());

test("a journal that cannot be removed is named", () => {
  const blocked = { RELAYCTL_CONFIG_DIR: join(state, "journal/head.json") };
  expect(() => removeDemoJournal(blocked, "linux")).toThrow(/demo-journal: cannot be written/);
});
