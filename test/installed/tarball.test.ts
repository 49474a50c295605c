import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { environment, ROOT } from "../e2e/relayctl.ts";
import { has, released } from "./release.ts";

/** The package is installed here as for all users of a machine, without a network. */
const prefix = mkdtempSync(join(tmpdir(), "relayctl-prefix-"));
const path = `${join(prefix, "bin")}:${process.env.PATH}`;

beforeAll(async () => {
  await execa("npm", ["install", "--global", "--offline", "--no-audit", "--prefix", prefix, released(/\.tgz$/)]);
});

afterAll(() => rmSync(prefix, { recursive: true, force: true }));

function run(file: string, args: readonly string[]) {
  const env = environment(prefix, { PATH: path, MANWIDTH: "80" });
  return execa(file, args, { cwd: prefix, env, extendEnv: false, reject: false });
}

test("relayctl runs, and prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(await run("relayctl", ["--version"])).toMatchObject({ exitCode: 0, stdout: version });
  const { stdout } = await run("relayctl", ["--demo", "relayers", "list", "-o", "name"]);
  expect(stdout.split("\n")).toHaveLength(8);
});

test.skipIf(!has("man"))("man finds the pages next to the program (skipped without man)", async () => {
  const { stdout } = await run("man", ["--where", "relayctl-tx"]);
  expect(stdout).toBe(realpathSync(join(prefix, "share/man/man1/relayctl-tx.1")));
});
