import type { App } from "../../src/app.ts";
import { cli, SERVER, TOKEN, type World } from "../helpers/cli.ts";

const SERVICE = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };

/** Runs a line on a terminal of a few rows, with a pager that keeps what it is shown. */
async function paged(line: string, world: World = {}) {
  const shown: string[] = [];
  const pager: App["pager"] = async () => ({
    output: { write: async (text) => void shown.push(String(text)) },
    close: async () => undefined,
  });
  const ran = await cli(line, { terminal: true, rows: 4, pager, ...world });
  return { ...ran, shown: shown.join("") };
}

test.each(["relayers list", "relayers get eth-main-1", "relayers status", "relayers list --help", "help exit-codes"])(
  "a result that is longer than the screen goes to the pager: %s",
  async (line) => {
    const straight = await cli(line, { terminal: true, rows: 4 });
    const { exitCode, shown, stdout, stderr } = await paged(line);
    expect({ exitCode, shown, stdout }).toEqual({ exitCode: 0, shown: straight.stdout, stdout: "" });
    expect(stderr).toBe(straight.stderr);
  },
);

test.each<[string, string, World]>([
  ["data", "relayers list -o json", {}],
  ["tsv", "relayers list -o tsv", {}],
  ["a result that fits", "relayers list", { rows: 40 }],
  ["--no-pager", "relayers list --no-pager", {}],
  ["help with --no-pager", "relayers list --help --no-pager", {}],
  ["--no-input, which waits for no key", "relayers list --no-input", {}],
  ["help with --no-input", "relayers list --help --no-input", {}],
  ["CI", "relayers list", { env: { ...SERVICE, CI: "1" } }],
  ["a screen reader", "relayers list", { env: { ...SERVICE, RELAYCTL_ACCESSIBLE: "1" } }],
  ["a pipe", "relayers list -o table", { stdoutTerminal: false }],
  ["a write", "relayers pause eth-main-1 --yes -o table", {}],
  ["a script", "completion bash", {}],
])("no pager is opened for %s", async (_, line, world) => {
  const { shown, stdout, exitCode } = await paged(line, world);
  expect({ exitCode, shown }).toEqual({ exitCode: 0, shown: "" });
  expect(stdout).not.toBe("");
});

test("a configured pager that cannot be started is one warning, and the result is printed straight", async () => {
  const pager: App["pager"] = async () => ({ problem: "program not found" });
  const ran = await paged("relayers list", { pager, env: { ...SERVICE, PAGER: "mor" } });
  expect(ran.stdout).toContain("eth-main-1");
  expect(ran.stderr.match(/^warning: .*$/gm)).toEqual(["warning: the pager cannot be used: program not found"]);
  const usual = await paged("relayers list", { pager });
  expect(usual.stdout).toBe(ran.stdout);
  expect(usual.stderr).not.toContain("warning");
});

test.each(["relayers list", "relayers list --help"])("the pager of %s is closed once", async (line) => {
  let closed = 0;
  const pager: App["pager"] = async () => ({
    output: { write: async () => {} },
    close: async () => {
      closed++;
      return undefined;
    },
  });
  await cli(line, { terminal: true, rows: 4, pager });
  expect(closed).toBe(1);
});

test("a page of help that fills the screen to its last row is not paged, and one more row is", async () => {
  const { stdout } = await cli("relayers list --help", { terminal: true, rows: 1_000 });
  const rows = stdout.split("\n").length;
  expect((await paged("relayers list --help", { rows })).stdout).toBe(stdout);
  expect((await paged("relayers list --help", { rows: rows - 1 })).stdout).toBe("");
});
