import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { root } from "./bundle.js";
import { writeSection } from "./section.js";
import { table } from "./table.js";

/**
 * npm run loaded: writes into docs/performance.md how much of the built program some command lines load. With --check it writes
 * nothing, and fails when one of them loads a library that it has no use for.
 */
/** The core knows the command line, and how wide a text is. */
const CORE = ["commander", "string-width", "strip-ansi", "ansi-regex", "emoji-regex", "get-east-asian-width"];

/** Each line, and the libraries that it may load. */
const LINES = [
  { words: ["--version"], may: [] },
  { words: ["--help"], may: [] },
  { words: ["relayers", "list", "-o", "ndjson"], may: CORE },
  { words: ["relayers", "list", "-o", "table"], may: CORE },
  { words: ["relayers", "update", "r1", "--paused", "--yes"], may: [...CORE, "zod", "@noble/hashes"] },
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

/** Runs the program and tells on stderr, in its last line, which files it required. */
const TELL = `process.on("exit", () => console.error("\\n" + JSON.stringify(Object.keys(require.cache))));
process.argv.splice(1, 0, ${JSON.stringify(join(root, "bin/relayctl.js"))});
require(process.argv[1]);`;

async function filesOf(words, origin) {
  const env = {
    PATH: process.env.PATH,
    HOME: "/nowhere",
    RELAYCTL_SERVER: origin,
    RELAYCTL_TOKEN: "a-token-of-this-script",
  };
  const { stderr } = await promisify(execFile)(process.execPath, ["-e", TELL, "--", ...words], { env });
  return JSON.parse(stderr.trimEnd().split("\n").at(-1));
}

/** The libraries whose code is in a file, by its source map. */
function librariesIn(file) {
  if (!readFileSync(file, "utf8").includes("//# sourceMappingURL=")) return [];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8"));
  return sources.flatMap(
    (source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(source)?.[1] ?? [],
  );
}

async function measure({ words, may }, origin) {
  const files = await filesOf(words, origin);
  const libraries = [...new Set(files.flatMap(librariesIn))];
  return {
    line: ["relayctl", ...words].join(" "),
    files: files.map((file) => basename(file)),
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    libraries,
    needless: libraries.filter((library) => !may.includes(library)),
  };
}

const { values } = parseArgs({ options: { check: { type: "boolean" } } });
const { server, origin } = await serveOne();
const measured = await Promise.all(LINES.map((line) => measure(line, origin)));
server.close();
server.closeAllConnections();

for (const { line, needless } of measured.filter(({ needless }) => needless.length > 0)) {
  console.error(`${line} loads ${needless.join(", ")}, which it has no use for`);
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
  writeSection(join(root, "docs/performance.md"), "loaded", text);
}
