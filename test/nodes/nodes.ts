import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A real node in a process of its own, on a free port of this machine. */
export interface RealNode {
  url: string;
  version: string;
  /** Sends a request, and returns its result. @throws an Error with the node's words */
  call(method: string, ...params: unknown[]): Promise<unknown>;
  /** Gives an account this balance. */
  fund(address: string, wei: bigint): Promise<void>;
  stop(): Promise<void>;
}

/** A kind of node: the program, if it is installed, and how it starts. */
export interface NodeKind {
  name: string;
  program: string | undefined;
  /** Whether blocks, base fees, reorganizations, and the pool can be set. */
  isDirected: boolean;
  start(): Promise<RealNode>;
}

const ANVIL = join(import.meta.dirname, "node_modules/.bin/anvil");

export const anvil: NodeKind = {
  name: "anvil",
  program: existsSync(ANVIL) ? ANVIL : undefined,
  isDirected: true,
  async start() {
    const port = await freePort();
    const node = await started(spawn(ANVIL, ["--port", String(port), "--no-mining", "--silent"]), port);
    return { ...node, fund: async (address, wei) => void (await node.call("anvil_setBalance", address, hex(wei))) };
  },
};

const GETH = process.env.GETH ?? findOnPath("geth");

/** geth makes its own account rich, and a block each second. */
export const geth: NodeKind = {
  name: "geth",
  program: GETH,
  isDirected: false,
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
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
