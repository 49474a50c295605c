import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const REPOSITORY = "your-org/relayctl";
const FILE = "relayctl-linux-x64";

/**
 * Runs the script of the action with these inputs, as a runner on Linux does. Its executable starts the built program of this tree, and comes
 * from a forge on loopback. Returns the folder for the path and the variables for later steps.
 * @param {{ root: string, work: string, inputs: Record<string, string> }} step
 */
export async function runAction({ root, work, inputs }) {
  const folder = mkdtempSync(join(work, "runner-"));
  const file = (name) => join(folder, name);
  mkdirSync(file("temp"));
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, "bin/relayctl.js")}' "$@"\n`;
  const forge = await serveRelease(inputs.version, program);
  const child = spawn("bash", [join(root, "scripts/action/install.sh")], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      ...{ RUNNER_OS: "Linux", RUNNER_ARCH: "X64", RUNNER_TEMP: file("temp"), GITHUB_ACTION_REPOSITORY: REPOSITORY },
      ...{ GITHUB_PATH: file("path"), GITHUB_OUTPUT: file("output"), GITHUB_ENV: file("env") },
      GITHUB_SERVER_URL: `http://127.0.0.1:${forge.address().port}`,
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    },
  });
  const [status] = await once(child, "close");
  forge.close();
  if (status !== 0) throw new Error(`the action exited with ${status}`);
  const lines = readFileSync(file("env"), "utf8").trim().split("\n");
  const env = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  return { path: readFileSync(file("path"), "utf8").trim(), env };
}

async function serveRelease(version, program) {
  const sums = [`${digestOf(program)}  ${FILE}`, `${digestOf("")}  relayctl-${version}.tgz`];
  const files = { SHA256SUMS: `${sums.join("\n")}\n`, [FILE]: program };
  const folder = `/${REPOSITORY}/releases/download/v${version}/`;
  const server = createServer(({ url = "" }, response) => {
    const text = files[url.replace(folder, "")];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function digestOf(text) {
  return createHash("sha256").update(text).digest("hex");
}
