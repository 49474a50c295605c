import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** How long a server may take to listen, in milliseconds. */
const PATIENCE = 20_000;

/** Starts `relayctl serve` with these flags; `requests` has the status of each response once the server has ended. */
export async function serve(world, ...flags) {
  const log = join(world.folder, `requests-${flags.join("")}.log`.replaceAll("/", "-"));
  const server = await start(world, [world.env.PROGRAM, "serve", "--token-file", world.tokenFile, ...flags], log);
  return { ...server, requests: () => statuses(readFileSync(log, "utf8")) };
}

/** `14:02:11Z GET   /api/v1/relayers?page=1  200  1 ms` */
function statuses(log) {
  return [...log.matchAll(/^\S+Z [A-Z]+ +\S+ +([0-9]{3}) /gm)].map(([, status]) => Number(status));
}

/**
 * Serves lists from memory, to measure only the reader.
 * @param what `fleet:N`, the embedded server's, `varied:N`, or `transactions:N`
 * @param tls the files of a key and its certificate, for a server on https
 */
export async function serveFromMemory(world, what, tls) {
  const origin = what.startsWith("fleet:") ? await serve(world, "--quiet", "--seed", what) : undefined;
  const files = tls ? [tls.key, tls.certificate] : [];
  const script = join(import.meta.dirname, "list-server.js");
  const lists = await start(world, [script, origin?.env.RELAYCTL_SERVER ?? what, ...files]);
  return { env: lists.env, stop: async () => void (await Promise.all([origin?.stop(), lists.stop()])) };
}

/** Starts the simplest server on node:http. It sends the service's list of ten relayers. */
export function serveBare(world, url) {
  return start(world, [join(import.meta.dirname, "bare-server.js"), url]);
}

/** Starts `relayctl webhooks listen` with these flags, which prints nowhere; `env` leads there. */
export function listen(world, ...flags) {
  const args = [world.env.PROGRAM, "webhooks", "listen", ...flags];
  return start(world, args, undefined, { stdio: ["ignore", "ignore", "pipe"], said: /^listening on (\S+?),/ });
}

/** A receiver that does the least that one on node:http can: it reads a body and says that it has it. */
export function receiveBare(world) {
  return start(world, [join(import.meta.dirname, "bare-receiver.js")]);
}

/** Starts a program that prints `export RELAYCTL_SERVER=…`, or something else, once it listens; `env` leads there. */
async function start(world, args, log, { stdio, said = /^export RELAYCTL_SERVER=(\S+)$/ } = {}) {
  const words = log ? openSync(log, "w") : undefined;
  const child = spawn(process.execPath, args, {
    env: world.env,
    signal: world.signal,
    stdio: stdio ?? ["ignore", "pipe", words ?? "inherit"],
  });
  if (words) closeSync(words);
  const ended = new Promise((resolve) => child.once("close", resolve).once("error", resolve));
  const stop = async () => void (child.kill("SIGTERM") && (await ended));
  const address = await addressFrom(child.stdout ?? child.stderr, said);
  return { env: { ...world.env, RELAYCTL_SERVER: address }, pid: child.pid, stop };
}

async function addressFrom(input, said) {
  const lines = createInterface({ input, signal: AbortSignal.timeout(PATIENCE) });
  for await (const line of lines) {
    const [, address] = said.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error("a server did not begin to listen");
}
