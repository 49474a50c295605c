import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { parse } from "yaml";
import { listenInTest } from "../../helpers/service/listen.ts";

const SCRIPT = join(import.meta.dirname, "../../../scripts/action/install.sh");
const REPOSITORY = "ada/relayctl";

/** A response of a forge: a text, nothing, or a text whose connection breaks in the middle. */
type Asset = string | { cut: string };

function program(version: string): string {
  return `#!/bin/sh\necho "${version}"\n`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the files of a release, with right checksums. */
function releaseOf(version: string): Record<string, Asset> {
  const file = program(version);
  const sums = [`${digestOf(file)}  relayctl-linux-x64`, `${digestOf("package")}  relayctl-${version}.tgz`];
  const assets = { "relayctl-linux-x64": file, SHA256SUMS: `${sums.join("\n")}\n` };
  return Object.fromEntries(Object.entries(assets).map(([name, text]) => [`download/v${version}/${name}`, text]));
}

/** Serves the releases of a repository on loopback; resolves to the origin and the requested paths. */
async function serveReleases(assets: Record<string, Asset>) {
  const requested: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    const path = url.replace(`/${REPOSITORY}/releases/`, "");
    requested.push(path);
    const asset = assets[path];
    if (asset === undefined) return void response.writeHead(404).end("Not Found");
    if (typeof asset === "string") return void response.end(asset);
    response.writeHead(200, { "content-length": asset.cut.length + 1 });
    response.write(asset.cut, () => response.destroy());
  });
  return { origin: `http://127.0.0.1:${await listenInTest(server)}`, requested };
}

/** Runs the script of the action as a runner does, in an empty folder, and returns everything that it leaves. */
async function install(
  inputs: Record<string, string>,
  { assets = releaseOf("1.2.3"), env = {} }: { assets?: Record<string, Asset>; env?: Record<string, string> } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-runner-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const temporary = join(folder, "temp");
  mkdirSync(temporary);
  const { origin, requested } = await serveReleases(assets);
  const files = { GITHUB_PATH: "path", GITHUB_OUTPUT: "output", GITHUB_ENV: "env" };
  const given = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const { exitCode, stdout, stderr } = await execa("bash", [SCRIPT], {
    cwd: folder,
    extendEnv: false,
    reject: false,
    env: {
      PATH: process.env.PATH,
      ...{ RUNNER_OS: "Linux", RUNNER_ARCH: "X64", RUNNER_TEMP: temporary },
      ...{ GITHUB_SERVER_URL: origin, GITHUB_ACTION_REPOSITORY: REPOSITORY },
      ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(folder, file)])),
      ...Object.fromEntries(given),
      ...env,
    },
  });
  const textOf = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "");
  return {
    ...{ exitCode, stdout, stderr, requested, temporary },
    ...{ path: textOf("path"), output: textOf("output"), env: textOf("env") },
    left: readdirSync(temporary, { recursive: true, encoding: "utf8" }).sort(),
    strays: readdirSync(folder).filter((name) => !["temp", ...Object.values(files)].includes(name)),
  };
}

const ASSET = "download/v1.2.3/relayctl-linux-x64";
const SUMS = "download/v1.2.3/SHA256SUMS";
const TOKEN = "s3cr3t-of-the-workflow%0A";

/** What a refused installation leaves: nothing on the path, no output, no variable, no file. */
const NOTHING = { path: "", output: "", env: "", left: [], strays: [] };

function refusal(message: string) {
  return { ...NOTHING, exitCode: 1, stdout: expect.stringMatching(`^::error title=relayctl::[^\n]*${message}[^\n]*$`) };
}

test("the executable of a version is on the path once its checksum is verified", async () => {
  const { temporary, ...rest } = await install({ version: "1.2.3" });
  const folder = join(temporary, "relayctl-1.2.3");
  expect(rest).toMatchObject({
    exitCode: 0,
    stderr: "",
    path: `${folder}\n`,
    output: `path=${join(folder, "relayctl")}\nversion=1.2.3\n`,
    env: "",
    left: ["relayctl-1.2.3", "relayctl-1.2.3/relayctl"],
    requested: [SUMS, ASSET],
  });
});

test("a tag with v is the same version", async () =>
  expect(await install({ version: "v1.2.3" })).toMatchObject({ exitCode: 0, requested: [SUMS, ASSET] }));

test("latest is the version of the newest SHA256SUMS, whose own files are then downloaded", async () => {
  const released = releaseOf("1.2.3");
  const assets = { ...released, "latest/download/SHA256SUMS": released[SUMS] ?? "" };
  for (const inputs of [{ version: "latest" }, {}] as Record<string, string>[]) {
    const { exitCode, output, requested } = await install(inputs, { assets });
    expect([exitCode, requested]).toEqual([0, ["latest/download/SHA256SUMS", ASSET]]);
    expect(output).toContain("version=1.2.3\n");
  }
});

test("server, token, and context are exported if given, and the token is printed in the mask alone", async () => {
  const inputs = { version: "1.2.3", server: "https://relayer.example.org", token: TOKEN, context: "prod" };
  const { exitCode, env, stdout, stderr, path, output } = await install(inputs);
  expect(exitCode).toBe(0);
  const variables = ["RELAYCTL_SERVER=https://relayer.example.org", `RELAYCTL_TOKEN=${TOKEN}`, "RELAYCTL_CONTEXT=prod"];
  expect(env).toBe(variables.map((line) => `${line}\n`).join(""));
  const [mask, ...others] = stdout.split("\n");
  expect(mask).toBe("::add-mask::s3cr3t-of-the-workflow%250A");
  expect([...others, stderr, path, output].join("\n")).not.toContain("s3cr3t");
});

test.each([
  ["", {}],
  [", even if the workflow exports a variable of the same name", { token: "of-the-workflow" }],
  [", even if the shell exports every variable", { SHELLOPTS: "allexport" }],
])("no program that runs during the installation gets the token%s", async (_, env) => {
  const spy = `#!/bin/sh\nenv | grep s3cr3t && exit 3\necho 1.2.3\n`;
  const sums = `${digestOf(spy)}  relayctl-linux-x64\n${digestOf("")}  relayctl-1.2.3.tgz\n`;
  const assets = { [SUMS]: sums, [ASSET]: spy };
  expect(await install({ version: "1.2.3", token: TOKEN }, { assets, env })).toMatchObject({ exitCode: 0 });
});

test("tracing of the shell prints no token", async () => {
  const { stdout, stderr } = await install({ version: "1.2.3", token: TOKEN }, { env: { SHELLOPTS: "xtrace" } });
  expect(`${stdout.replace(/^::add-mask::.*/, "")}${stderr}`).not.toContain("s3cr3t");
});

test.each([
  ["a wrong executable", { [ASSET]: program("1.2.4") }, "nothing was installed"],
  ["an executable that is cut off", { [ASSET]: { cut: program("1.2.3").slice(0, 9) } }, "was not downloaded"],
  ["checksums that are cut off", { [SUMS]: { cut: "0123" } }, "was not downloaded"],
  ["no executable", { [ASSET]: undefined }, "relayctl-linux-x64 of version 1.2.3 was not downloaded"],
  ["no checksums", { [SUMS]: undefined }, "SHA256SUMS of version 1.2.3 was not downloaded.*returned error: 404"],
  ["empty checksums", { [SUMS]: "" }, "has no version"],
  ["checksums without the executable", { [SUMS]: `${digestOf("")}  relayctl-1.2.3.tgz\n` }, "has no checksum"],
  ["checksums of another version", { [SUMS]: releaseOf("1.2.2")["download/v1.2.2/SHA256SUMS"] }, 'is of "1.2.2"'],
  [
    "two checksums of the executable",
    { [SUMS]: `${releaseOf("1.2.3")[SUMS]}${digestOf("other")}  relayctl-linux-x64\n` },
    "has no checksum",
  ],
])("a release with %s is refused", async (_, replaced, message) => {
  const merged = Object.entries({ ...releaseOf("1.2.3"), ...replaced }).filter(([, asset]) => asset !== undefined);
  const assets = Object.fromEntries(merged) as ReturnType<typeof releaseOf>;
  expect(await install({ version: "1.2.3" }, { assets })).toMatchObject(refusal(message));
});

test("an executable that does not run, or is another version, is refused despite a right checksum", async () => {
  for (const [text, message] of [
    ["#!/bin/sh\nexit 1\n", "does not run"],
    [program("9.9.9"), 'is version "9.9.9"'],
  ] as const) {
    const sums = `${digestOf(text)}  relayctl-linux-x64\n${digestOf("")}  relayctl-1.2.3.tgz\n`;
    expect(await install({ version: "1.2.3" }, { assets: { [SUMS]: sums, [ASSET]: text } })).toMatchObject(
      refusal(message),
    );
  }
});

test("the input sha256 is required besides SHA256SUMS, in any case of letters", async () => {
  const right = digestOf(program("1.2.3"));
  expect(await install({ version: "1.2.3", sha256: right.toUpperCase() })).toMatchObject({ exitCode: 0 });
  expect(await install({ version: "1.2.3", sha256: digestOf("") })).toMatchObject(refusal("the input sha256 is"));
  expect(await install({ version: "1.2.3", sha256: "abc" })).toMatchObject({ ...refusal("64 hex"), requested: [] });
});

test.each([
  ["version", "../../evil"],
  ["version", "1.2.3/../../1.2.2"],
  ["version", "1.2"],
  ["version", "1.2.3 4"],
  ["version", "1.2.3\n::set-env name=PATH::/evil"],
  ["version", "$(touch evil)"],
  ["version", "`touch evil`"],
  ["version", "1.2.3;touch evil"],
  ["version", "-o/evil"],
  ["sha256", "$(touch evil)"],
  ["server", "ftp://relayer.example.org"],
  ["server", "https://relayer.example.org\nPATH=/evil"],
  ["context", "prod\nPATH=/evil"],
  ["token", "two\nlines-of-a-token"],
  ["repository", "../relayctl"],
  ["repository", "ada/relayctl/../../eve/evil"],
  ["repository", "ada/.."],
  ["repository", "https://evil.example/x"],
])("the %s %j is refused before anything is requested", async (input, value) => {
  const ended = await install({ version: "1.2.3", [input]: value });
  expect(ended).toMatchObject({ ...refusal(input), requested: [] });
  expect(ended.stdout).not.toContain("lines-of-a-token");
});

test("a runner without an executable is reported", async () => {
  const env = { RUNNER_OS: "Windows", RUNNER_ARCH: "ARM64" };
  expect(await install({ version: "1.2.3" }, { env })).toMatchObject(refusal("install the npm package instead"));
});

test("the repository follows from the folder of the action if the runner does not say it", async () => {
  const env = { GITHUB_ACTION_REPOSITORY: "", GITHUB_ACTION_PATH: "/runner/_actions/ada/relayctl/v1" };
  expect(await install({ version: "1.2.3" }, { env })).toMatchObject({ exitCode: 0 });
  const windows = { ...env, GITHUB_ACTION_PATH: "D:\\a\\_actions\\ada\\relayctl\\v1" };
  expect(await install({ version: "1.2.3" }, { env: windows })).toMatchObject({ exitCode: 0 });
  expect(await install({ version: "1.2.3" }, { env: { GITHUB_ACTION_REPOSITORY: "" } })).toMatchObject(
    refusal("the repository has to be OWNER/NAME"),
  );
});

test("action.yml passes every input in a variable, and runs one script without expressions", () => {
  const action = parse(readFileSync(join(import.meta.dirname, "../../../action.yml"), "utf8"));
  const [step, ...more] = action.runs.steps;
  expect([action.runs.using, step.shell, more]).toEqual(["composite", "bash", []]);
  expect(step.run).toBe('bash "$GITHUB_ACTION_PATH/scripts/action/install.sh"');
  const variables = Object.keys(action.inputs).map((name) => [`INPUT_${name.toUpperCase()}`, `\${{ inputs.${name} }}`]);
  expect(step.env).toEqual(Object.fromEntries(variables));
  expect(Object.keys(action.inputs)).toEqual(
    expect.arrayContaining(["version", "server", "token", "context", "sha256"]),
  );
  expect(Object.keys(action.outputs)).toEqual(["path", "version"]);
});
