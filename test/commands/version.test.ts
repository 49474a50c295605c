import { runtimeOf, VERSION } from "../../src/version.ts";
import { cli } from "../helpers/cli.ts";

test("version prints the version, the build, the runtime, the platform, and the commit, and asks no service", async () => {
  const { stdout, ...rest } = await cli("version", { stdoutTerminal: true, env: { NO_COLOR: "1" } });
  expect(rest).toMatchObject({ exitCode: 0, stderr: "", requests: [] });
  expect(stdout.trimEnd().split("\n")).toEqual([
    `version     ${VERSION}`,
    "build       source",
    "runtime     Node.js 99.0.0",
    "platform    linux-x64",
    "commit      unknown",
  ]);
});

test("for programs, version says null for what is unknown", async () => {
  expect(JSON.parse((await cli("version -o json")).stdout)).toEqual({
    version: VERSION,
    build: "source",
    runtime: "node",
    runtime_version: "99.0.0",
    platform: "linux-x64",
    commit: null,
    clean: null,
  });
  expect((await cli("version -o name")).stdout).toBe(`${VERSION}\n`);
});

test("--version prints the version alone", async () =>
  expect(await cli("--version")).toMatchObject({ exitCode: 0, stdout: `${VERSION}\n` }));

test.each([
  ["linux", "x64", "linux-x64"],
  ["darwin", "arm64", "macos-arm64"],
  ["win32", "x64", "windows-x64"],
  ["freebsd", "x64", "freebsd-x64"],
] as const)("on %s with %s, the platform is that of the executable %s", (platform, arch, name) => {
  const versions = { ...process.versions, node: "22.11.0" };
  expect(runtimeOf({ versions, platform, arch })).toEqual({ name: "node", version: "22.11.0", platform: name });
});

test("on Bun, the runtime is Bun, which also has a version of Node.js", () => {
  const versions = { ...process.versions, bun: "1.4.4" };
  expect(runtimeOf({ versions, platform: "linux", arch: "x64" })).toMatchObject({ name: "bun", version: "1.4.4" });
});
