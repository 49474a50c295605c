import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { onTestFinished } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../../scripts/action/install.sh");
const REPOSITORY = "ada/relayctl";

/** A response of a forge: a text, nothing, or a text whose connection breaks in the middle. */
type Asset = string | { cut: string };

export function program(version: string): string {
  return `#!/bin/sh\necho "${version}"\n`;
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the files of a release, with right checksums. */
export function releaseOf(version: string): Record<string, Asset> {
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested };
}

/** Runs the script of the action as a runner does, in an empty folder, and returns everything that it leaves. */
export async function install(
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
