import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { root } from "./bundle.js";
import { writeSection } from "./section.js";
import { table } from "./table.js";

/**
 * npm run loaded: writes into docs/project/performance.md how much of the built program some command lines load. --check fails if one
 * of them loads a library that it doesn't need, and writes nothing.
 */
/** A write also loads the file `aside`, which measures the width of texts. */
const ASIDE = ["string-width", "strip-ansi", "ansi-regex", "emoji-regex", "get-east-asian-width"];

/** What the entry takes of Node: any other module takes longer to load than the entry itself. */
const ENTRY = ["node:buffer", "node:fs", "node:path", "node:vm"];

const WRITE = [...ASIDE, "zod", "@noble/hashes", "@scure/base"];
/** What only a write with a journal may load; `src/journal` counts as a library. */
const JOURNAL = ["src/journal", "proper-lockfile", "retry", "signal-exit", "graceful-fs"];

/** Each line, and the libraries that it may load. Server and token come from variables unless it has a context. */
const LINES = [
  { words: ["--version"], may: [] },
  { words: ["--help"], may: [] },
  { words: ["relayers", "list", "-o", "ndjson"], may: [] },
  { words: ["relayers", "list", "-o", "table"], may: [] },
  { words: ["relayers", "list", "-c", "prod"], may: [] },
  { words: ["relayers", "update", "r1", "--paused", "--yes"], may: WRITE },
  { words: ["relayers", "update", "r1", "--paused", "--yes", "-c", "prod"], may: [...WRITE, ...JOURNAL] },
];

const RELAYER = { id: "r1", name: "R1", network: "sepolia", network_type: "evm", paused: true, policies: {} };

/** A service of one relayer. */
async function serveOne() {
  const server = createServer(({ method, url }, response) => {
    const one = method === "PATCH" || url.endsWith("/relayers/r1");
    const pagination = { current_page: 1, per_page: 1000, total_items: 1 };
    const reply = one ? { data: RELAYER } : { data: [RELAYER], pagination };
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ success: true, error: null, ...reply }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

/** Runs the program and prints the files that it required as the last line on stderr. */
const TELL = `process.on("exit", () => console.error("\\n" + JSON.stringify(Object.keys(require.cache))));
process.argv.splice(1, 0, ${JSON.stringify(join(root, "bin/relayctl.js"))});
require(process.argv[1]);`;

/** An environment with a stored context, or with server and token in variables; both have a home folder to write to. */
function environmentOf(words, origin, home) {
  const token = "a-token-of-this-script";
  // Otherwise the program loads its files itself, and they are not in `require.cache`.
  const env = { PATH: process.env.PATH, HOME: home, NODE_DISABLE_COMPILE_CACHE: "1" };
  if (!words.includes("-c")) return { ...env, RELAYCTL_SERVER: origin, RELAYCTL_TOKEN: token };
  const config = { version: 1, contexts: { prod: { server: origin, token } } };
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  return { ...env, RELAYCTL_CONFIG_DIR: home };
}

async function filesOf(words, origin) {
  const home = mkdtempSync(join(tmpdir(), "relayctl-loaded-"));
  try {
    const env = environmentOf(words, origin, home);
    const { stderr } = await promisify(execFile)(process.execPath, ["-e", TELL, "--", ...words], { env });
    const written = readdirSync(home).filter((name) => name !== "config.json");
    return { files: JSON.parse(stderr.trimEnd().split("\n").at(-1)), written };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The libraries whose code is in a file, by its source map, and the journal. */
function librariesIn(file) {
  if (!existsSync(`${file}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  return sources.flatMap(
    (source) =>
      /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)|(src\/journal)\/open-journal\.ts/
        .exec(source)
        ?.slice(1)
        .filter(Boolean) ?? [],
  );
}

async function measure({ words, may }, origin) {
  const { files, written } = await filesOf(words, origin);
  const libraries = [...new Set(files.flatMap(librariesIn))];
  return {
    line: ["relayctl", ...words].join(" "),
    may,
    files: files.map((file) => basename(file)),
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    libraries,
    needless: libraries.filter((library) => !may.includes(library)),
    written,
  };
}

const { values } = parseArgs({ options: { check: { type: "boolean" } } });
const { server, origin } = await serveOne();
const measured = await Promise.all(LINES.map((line) => measure(line, origin)));
server.close();
server.closeAllConnections();

const faults = measured.flatMap(({ line, needless, may, written }) => {
  const expected = may.includes("src/journal") ? "journal" : "";
  return [
    ...(needless.length > 0 ? [`${line} loads ${needless.join(", ")}, which it has no use for`] : []),
    ...(written.join() === expected ? [] : [`${line} wrote to the home folder: ${written.join(", ") || "nothing"}`]),
  ];
});
const entry = readFileSync(join(root, "dist/main.js"), "utf8");
const taken = [...entry.matchAll(/require\("(node:[^"]+)"\)/g)].map(([, name]) => name);
for (const name of taken) if (!ENTRY.includes(name)) faults.push(`every command line loads ${name} first`);
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exitCode = 1;
}
if (!values.check) {
  const rows = measured.map(({ line, bytes, files, libraries }) => [
    `\`${line}\``,
    `${Math.ceil(bytes / 1024)} KB`,
    `${files.length}`,
    libraries.join(", ") || "none",
  ]);
  const text = table(["Line", "Loaded", "Files", "Libraries in them"], rows);
  writeSection("docs/project/performance.md", "loaded", text);
}
