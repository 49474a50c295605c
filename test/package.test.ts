import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import ts from "typescript";
import { blocksOf } from "./e2e/guide.ts";
import { environment, ROOT } from "./e2e/relayctl.ts";
import { serve } from "./e2e/services/embedded.ts";
import { removeFolder } from "./helpers/remove-folder.ts";

/** The packed package is installed here without a network, as a program and as a library. */
const folder = mkdtempSync(join(tmpdir(), "relayctl-package-"));
const prefix = join(folder, "global");
const project = join(folder, "project");
const modules = join(prefix, "lib/node_modules");
const installed = join(modules, "relayctl");

beforeAll(async () => {
  for (const path of [prefix, project]) mkdirSync(path);
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }\n');
  await npm(["pack", "--ignore-scripts", "--pack-destination", folder], ROOT);
  await npm(["install", "--global", "--prefix", prefix, tarball()], folder);
  symlinkSync(modules, join(project, "node_modules"));
});

afterAll(() => removeFolder(folder));

function tarball(): string {
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  await execa("npm", [...args, "--offline", "--no-audit", "--no-fund", "--loglevel", "error"], { cwd });
}

function run(file: string, args: readonly string[], env: Record<string, string> = {}) {
  return execa(file, args, { cwd: project, env: environment(folder, env), extendEnv: false, reject: false });
}

test("a global install installs a working relayctl", async () => {
  const program = join(prefix, "bin/relayctl");
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(await run(program, ["--version"])).toMatchObject({ exitCode: 0, stdout: version });
  const { exitCode, stdout } = await run(program, ["--demo", "relayers", "list", "-o", "name"]);
  expect([exitCode, stdout.split("\n").length]).toEqual([0, 8]);
});

test("a global install installs the manual pages that package.json lists", () => {
  const { man } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const linked = readdirSync(join(prefix, "share/man/man1"));
  expect(linked.sort()).toEqual(man.map((path: string) => path.replace("man/", "")).sort());
  expect(readFileSync(join(prefix, "share/man/man1/relayctl.1"), "utf8")).toMatch(/^\.TH "RELAYCTL" 1/);
});

test("the package contains what it needs at runtime, and no sources, tests, or scripts", () => {
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(readdirSync(modules).filter((name) => !name.startsWith("."))).toEqual(["relayctl"]);
  expect(manifest.dependencies).toBeUndefined();
  expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "SKILL.md", "THIRD-PARTY-NOTICES.md"]));
  expect(readdirSync(join(installed, "completions")).sort()).toEqual([
    "_relayctl",
    "relayctl.bash",
    "relayctl.fish",
    "relayctl.ps1",
  ]);
  expect(
    files.filter((name) => /^(src|test|scripts|docs\/(?!schemas|examples))\b|\.map$|(?<!\.d)\.ts$/.test(name)),
  ).toEqual([]);
  expect(files).toContain("docs/schemas/relayer.json");
  expect(statSync(tarball()).size).toBeLessThan(2 ** 20);
});

test.each([
  ["the connection pool", "undici", "pool.js.map"],
  ["the YAML library", "yaml", "yaml.js.map"],
  ["the locks of files", "proper-lockfile", "lock.js.map"],
  ["the encoder of calls", "ox", "ox.js.map"],
  ["the hashes", "@noble/hashes", "primitives.js.map"],
  ["the encodings of addresses", "@scure/base", "primitives.js.map"],
  ["the language of schemas", "zod", "zod.js.map"],
])("%s is in one file that the program and the library share", (_, library, file) => {
  const dist = join(ROOT, "dist");
  const maps = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js.map"));
  const holds = (name: string) => readFileSync(join(dist, name), "utf8").includes(`/node_modules/${library}/`);
  // What signs for `serve --node` loads its own parts of the encoder, and no other command loads it.
  const isSigning = (name: string) => readFileSync(join(dist, name), "utf8").includes("real-chain/key.ts");
  expect(maps.length).toBeGreaterThan(10);
  expect(maps.filter((name) => holds(name) && !isSigning(name))).toEqual([file]);
});

/** What a user of the package assigns: plain objects, and what the types do not allow. */
const PLAIN = `import { createClient, type DoctorCode, type Network, type Notification, type Plugin, type Relayer,
  type UpdateRelayerRequest } from "relayctl";
export const relayer: Relayer = { id: "eth-main-1", name: "Main", paused: false, policies: { min_balance: 2n ** 64n }, later: 1 };
export const notification: Notification = { id: "ops-hook", type: "webhook", url: null };
export const network: Network = { id: "evm:sepolia", chain_id: 11155111, rpc_urls: ["https://rpc.example.org"] };
export const plugin: Plugin = { id: "echo", emit_logs: true, timeout: { secs: 30, nanos: 0 } };
export const patch: UpdateRelayerRequest = { paused: true, notification_id: null };
export const name: string | null | undefined = relayer.name;
export const code: DoctorCode = "REL-PAUSED";
// @ts-expect-error A relayer has an ID.
export const unnamed: Relayer = { name: "Main" };
// @ts-expect-error A name is text.
export const numbered: Relayer = { id: "eth-main-1", name: 1 };
// @ts-expect-error A relayer is paused or not, and null does not say so.
export const paused: UpdateRelayerRequest = { paused: null };
// @ts-expect-error Only the codes of doctor.
export const unknown: DoctorCode = "REL-OTHER";
// @ts-expect-error A journal keeps this, not a caller.
export const kept = createClient({ server: "", token: "" }).relayers.update("r", {}, { keeps: "paused" });
`;

/** Compiles programs, and returns what is wrong with them and with the declarations of the package. */
async function compiled(programs: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text);
  const flags = "--strict --target ES2022 --module NodeNext --types node --listFiles --pretty false --typeRoots";
  const args = [...flags.split(" "), join(ROOT, "node_modules/@types"), ...Object.keys(programs)];
  const { stdout } = await run(process.execPath, [join(ROOT, "node_modules/typescript-7/bin/tsc"), ...args]);
  const lines = stdout.split("\n");
  expect(lines).toContain(join(realpathSync(installed), "dist/index.d.ts"));
  return lines.filter((line) => /\berror TS\d+: /.test(line));
}

test("the programs in the documents, and plain objects as resources, compile for those who have the package only", async () => {
  const library = blocksOf("docs/guides/library.md", "ts").map(({ text }) => text);
  const [receiver, fetching] = blocksOf("docs/guides/webhooks.md", "ts");
  const [payouts] = blocksOf("docs/guides/payouts.md", "ts");
  const programs = {
    "consumer.ts": library.join("\n"),
    "receiver.ts": receiver?.text ?? "",
    "fetching.ts": fetching?.text ?? "",
    "payouts.ts": payouts?.text ?? "",
    "plain.ts": PLAIN,
  };
  expect(await compiled(programs)).toEqual([]);
});

test("the declarations contain no flag, no help text, and no name that the package does not have", () => {
  const text = readFileSync(join(installed, "dist/index.d.ts"), "utf8");
  expect(text.match(/"--[\w-]+|\btypeof (?!GOALS|SPEEDS|EXIT_CODES)\w+/g)).toBeNull();
  const code = text.replaceAll(/\/\*.*?\*\//gs, "");
  const cited = (text.match(/\/\*\*.*?\*\//gs) ?? []).join("\n").match(/\b(?:[A-Z]+_[A-Z_]+|[a-z]+[A-Z]\w+)\b/g);
  expect([...new Set(cited)].filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual(["RELAYCTL_READONLY"]);
});

test("the declarations cite no document that the package lacks, and describe every method with what it throws", () => {
  const path = join(installed, "dist/index.d.ts");
  const text = readFileSync(path, "utf8");
  expect(text.match(/\b(?:facts|interface|promises|decision) \d|\bdocs\/(?!schemas)/g)).toBeNull();
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const clients = source.statements.filter(ts.isInterfaceDeclaration).filter(({ name }) => /Client/.test(name.text));
  const methods = clients.flatMap(({ members }) => members.filter(ts.isMethodSignature));
  expect(methods.length).toBeGreaterThan(40);
  const undescribed = methods.filter((method) => {
    const comments = ts.getJSDocCommentsAndTags(method).filter(ts.isJSDoc);
    const throwsSome = ts.getJSDocTags(method).some(({ tagName }) => tagName.text === "throws");
    return !throwsSome || !comments.some(({ comment }) => comment);
  });
  expect(undescribed.map((method) => method.getText(source))).toEqual([]);
});

test("the library examples in docs/guides/library.md run as one program, and keep every digit", async () => {
  const { env } = await serve();
  const { exitCode, stdout, stderr } = await run(process.execPath, ["consumer.js"], env);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("'polygon-bulk'");
  expect(stdout).toContain("gas_price_cap: 340282366920938463463374607431768211455n");
});

/** A server of Node around the receiver whose handler takes a Request. */
const AROUND = `import { createServer } from "node:http";
import receiver from "./fetching.js";
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { "x-signature": signature } = request.headers;
  const headers = signature === undefined ? {} : { "x-signature": signature };
  const { status } = await receiver.fetch(new Request("http://x/", { method: "POST", body: Buffer.concat(chunks), headers }));
  response.writeHead(status).end();
});
server.listen(0, "127.0.0.1", () => console.log("listening", server.address()));
`;

test.each([
  ["receiver.js", " submitted"],
  ["around.js", "transaction_update transaction"],
])(
  "the receiver %s of docs/guides/webhooks.md accepts what is signed with one of its keys",
  async (program, printed) => {
    writeFileSync(join(project, "around.js"), AROUND);
    const keys = ["old".repeat(12), "new".repeat(12)];
    const env = environment(folder, { WEBHOOK_KEYS: keys.join(" "), PORT: "0" });
    const receiver = execa(process.execPath, [program], { cwd: project, env, extendEnv: false, reject: false });
    let shown = "";
    const port = await new Promise<string>((resolve, reject) => {
      receiver.stdout.on("end", () => reject(new Error(`${program} ended after: ${shown}`)));
      receiver.stdout.on("data", (chunk) => {
        shown += chunk;
        const [, found] = /port: (\d+)/.exec(shown) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    for (const key of keys) {
      writeFileSync(join(project, "signing.key"), key);
      const typed = `webhooks test --to http://127.0.0.1:${port}/ --signing-key-file signing.key --check-refusal`;
      const { exitCode, stdout } = await run(join(prefix, "bin/relayctl"), typed.split(" "));
      expect(exitCode, stdout).toBe(0);
    }
    receiver.kill();
    await receiver;
    expect(shown.split(printed)).toHaveLength(3);
  },
);

test("the library can be loaded with require", async () => {
  const code = 'const { createClient } = require("relayctl"); console.log(typeof createClient);';
  expect(await run(process.execPath, ["--input-type=commonjs", "-e", code])).toMatchObject({ stdout: "function" });
});
