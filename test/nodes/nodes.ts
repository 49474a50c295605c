import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { listen } from "../helpers/service/listen.ts";

/** A real node in a separate process, on a free port of this machine. */
export interface RealNode {
  url: string;
  version: string;
  /** Sends a request, and returns its result. @throws an Error with the node's words */
  call(method: string, ...params: unknown[]): Promise<unknown>;
  /** Gives an account this balance. */
  fund(address: string, wei: bigint): Promise<void>;
  stop(): Promise<void>;
}

/** What only a directed node does: set blocks, fees, and accounts; undo blocks. */
export type Direction = "blocks" | "reorganizations";

/** How a chain differs from the usual one: when it begins, in seconds since 1970, and its ID. */
export interface ChainStart {
  begin?: number | undefined;
  chainId?: number;
}

/** A kind of node: the program, if it can run, and how it starts. */
export interface NodeKind {
  name: string;
  program: string | undefined;
  /** How to get the program. */
  missing: string;
  directions: readonly Direction[];
  /** The first word of the methods that direct it: `anvil_setBalance`. */
  prefix: string;
  start(chain?: ChainStart): Promise<RealNode>;
}

const ANVIL = join(import.meta.dirname, "node_modules/.bin/anvil");

export const anvil: NodeKind = {
  name: "anvil",
  program: existsSync(ANVIL) ? ANVIL : undefined,
  missing: "npm run test:nodes installs it",
  directions: ["blocks", "reorganizations"],
  prefix: "anvil",
  async start({ begin, chainId } = {}) {
    const port = await freePort();
    const words = ["--port", String(port), "--no-mining", "--silent"];
    if (begin) words.push("--timestamp", String(begin));
    if (chainId) words.push("--chain-id", String(chainId));
    const node = await started(spawn(ANVIL, words), port);
    return { ...node, fund: async (address, wei) => void (await node.call("anvil_setBalance", address, hex(wei))) };
  },
};

const HARDHAT = join(import.meta.dirname, "node_modules/hardhat/dist/src/cli.js");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const runsHardhat = existsSync(HARDHAT) && (major > 22 || (major === 22 && minor >= 13));

export const hardhat: NodeKind = {
  name: "Hardhat",
  program: runsHardhat ? HARDHAT : undefined,
  missing: "it needs Node.js 22.13 or later",
  directions: ["blocks"],
  prefix: "hardhat",
  async start({ begin, chainId } = {}) {
    const port = await freePort();
    const words = [HARDHAT, "node", "--hostname", "127.0.0.1", "--port", String(port)];
    if (chainId) words.push("--chain-id", String(chainId));
    const env = { ...process.env, CHAIN_BEGINS: begin ? new Date(begin * 1_000).toISOString() : undefined };
    const options = { cwd: import.meta.dirname, stdio: "ignore", env } as const;
    const node = await started(spawn(process.execPath, words, options), port);
    await node.call("evm_setAutomine", false);
    return { ...node, fund: async (address, wei) => void (await node.call("hardhat_setBalance", address, hex(wei))) };
  },
};

const GETH = process.env.GETH ?? findOnPath("geth");

/** geth makes its own account rich, and a block each second. */
export const geth: NodeKind = {
  name: "geth",
  program: GETH,
  missing: "neither geth nor Go is on the path, and GETH names none",
  directions: [],
  prefix: "",
  async start() {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), "relayctl-geth-"));
    const flags = ["--dev", "--dev.period", "1", "--datadir", folder, "--http", "--http.port", String(port)];
    const more = [
      "--http.api",
      "eth,net,web3,txpool,debug",
      "--port",
      "0",
      "--nodiscover",
      "--ipcdisable",
      "--verbosity",
      "1",
    ];
    const node = await started(spawn(String(GETH), [...flags, ...more]), port);
    return {
      ...node,
      async fund(address, wei) {
        const [rich] = (await node.call("eth_accounts")) as string[];
        const hash = await node.call("eth_sendTransaction", { from: rich, to: address, value: hex(wei) });
        await until(async () => (await node.call("eth_getTransactionReceipt", hash)) !== null);
      },
      async stop() {
        await node.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

function findOnPath(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function started(child: ChildProcess, port: number): Promise<Omit<RealNode, "fund">> {
  const url = `http://127.0.0.1:${port}`;
  const call = (method: string, ...params: unknown[]) => callNode(url, method, params);
  await until(async () => (await call("eth_chainId")) !== undefined);
  const version = String(await call("web3_clientVersion"));
  return {
    url,
    version,
    call,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
    },
  };
}

async function callNode(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Returns an address at which each request reaches the next of several nodes, as behind a load balancer. */
export async function alternating(urls: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  let turn = 0;
  const server = createHttpServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const to = String(urls[turn++ % urls.length]);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(to, { method: "POST", headers, body: Buffer.concat(parts) });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    stop: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}

/** Asks again every 50 ms, 600 times at most. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; tried < 600; tried++) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not happen within 600 attempts");
}

export function hex(amount: bigint | number): string {
  return `0x${amount.toString(16)}`;
}

/** Returns the commit of the sources, for the table of results. */
export function readCommit(): string {
  return execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: import.meta.dirname })
    .toString()
    .trim();
}
