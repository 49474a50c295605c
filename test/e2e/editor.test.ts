import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEEP } from "../helpers/deep.ts";
import { exited } from "../helpers/exited.ts";
import { drawnChange } from "../helpers/receipts.ts";
import { changedRelayer } from "./demo.ts";
import { bash, newFolder } from "./relayctl.ts";
import { inTerminal, type TerminalWorld, uncolored } from "./terminal/terminal.ts";

const EDIT = "relayctl --demo relayers edit eth-main-1 --editor";
const AGREED = { after: "? [y/N]", keys: "y\r" };
const SET_CAP = `sed -i 's/80000000000,/"120gwei",/' "$1"`;

/** An editor that is a script of sh, in a folder that holds its files too. */
function editor(script: string): { folder: string; env: Record<string, string> } {
  const folder = newFolder();
  writeFileSync(join(folder, "editor.sh"), `${script}\n`);
  return { folder, env: { EDITOR: `sh '${join(folder, "editor.sh")}'`, TMPDIR: folder } };
}

async function edited(world: TerminalWorld & { folder: string; env: Record<string, string> }, line = EDIT) {
  const { exitCode, shown } = await inTerminal(line, world);
  const cap = changedRelayer(world.folder, "eth-main-1")?.policies.gas_price_cap;
  return { exitCode, shown, cap, kept: keptIn(world.folder) };
}

/** The files for the editor that are left in a folder. */
function keptIn(folder: string): string[] {
  const folders = readdirSync(folder).filter((name) => /^relayctl-[A-Za-z0-9]{6}$/.test(name));
  return folders.map((name) => join(folder, name, "eth-main-1.jsonc"));
}

describe("relayers edit --editor in a terminal", () => {
  test("sends a confirmed change, and deletes the file", async () => {
    const ran = await edited({ ...editor(SET_CAP), typed: [AGREED] });
    expect(ran).toMatchObject({ exitCode: 0, cap: 120_000_000_000, kept: [] });
    expect(uncolored(ran.shown)).toContain("  gas_price_cap  80 gwei → 120 gwei\n");
    expect(uncolored(ran.shown)).toContain(`${drawnChange("demo", "eth-main-1")}gas_price_cap  80 gwei → 120 gwei\n`);
  });

  test("sends nothing and keeps the file with mode 0600 if the editor fails", async () => {
    const ran = await exited({ exitCode: 3, cap: 80_000_000_000 }, edited(editor(`${SET_CAP}; exit 1`)));
    const [kept = ""] = ran.kept;
    expect(uncolored(ran.shown)).toContain(`the file is kept: ${kept}\n`);
    expect(readFileSync(kept, "utf8")).toContain('"120gwei"');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
  });

  test("reopens broken JSON, and sends it after a fix", async () => {
    const repair = `sed -i 's/"gas_price_cap" 80000000000/"gas_price_cap": "120gwei"/' "$1"`;
    const script = `if grep -q '^//!' "$1"; then ${repair}; else sed -i 's/"gas_price_cap":/"gas_price_cap"/' "$1"; fi`;
    await exited({ exitCode: 0, cap: 120_000_000_000, kept: [] }, edited({ ...editor(script), typed: [AGREED] }));
  });

  test("leaves Ctrl-C to the running editor", async () => {
    const script = `process.on("SIGINT", () => {
      const fs = require("node:fs"), path = process.argv.at(-1);
      fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace("80000000000,", "90000000000,"));
      process.exit(0);
    });
    process.stdin.resume();
    process.stderr.write("the editor waits");`;
    const { folder, env } = editor("");
    writeFileSync(join(folder, "editor.cjs"), script);
    const ran = await edited({
      folder,
      env: { ...env, EDITOR: `'${process.execPath}' editor.cjs` },
      typed: [{ after: "the editor waits", keys: "\u0003" }, AGREED],
    });
    expect(ran).toMatchObject({ exitCode: 0, cap: 90_000_000_000, kept: [] });
  });

  test.runIf(DEEP)("prompts for a missing relayer first, and gives the editor the whole keyboard input", async () => {
    const script = `printf 'the editor asks: ' >&2; read line; sed -i "s/80000000000,/$line,/" "$1"`;
    const typed = [
      { after: "Relayer", keys: "eth-main-1" },
      { after: "> eth-main-1", keys: "\r" },
      { after: "the editor asks: ", keys: "95000000000\r" },
      AGREED,
    ];
    const ran = await edited({ ...editor(script), typed }, "relayctl --demo relayers edit --editor");
    expect(ran).toMatchObject({ exitCode: 0, cap: 95_000_000_000 });
  });

  test("prints only the result to a pipe", async () => {
    const world = { ...editor(`echo noise; test -t 1 && ${SET_CAP}`), typed: [AGREED] };
    await exited({ exitCode: 0, cap: 120_000_000_000 }, edited(world, `${EDIT} -o json > out.json`));
    expect(JSON.parse(readFileSync(join(world.folder, "out.json"), "utf8"))).toMatchObject({ id: "eth-main-1" });
  });
});

test("relayers edit --editor without a terminal exits with 3", async () =>
  expect(await bash(EDIT, editor(SET_CAP))).toMatchObject({ exitCode: 3, stdout: "" }));
