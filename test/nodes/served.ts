import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM } from "../e2e/program.ts";
import { type ChainStart, hex, type NodeKind, type RealNode, until } from "./nodes.ts";

export const RECEIVER = "0x52908400098527886E0F7030069857D2E4169EE7";
const ETH = 10n ** 18n;

interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A record, as far as the catalog reads it. */
interface ServedRecord {
  id: string;
  status: string;
  hash: string;
  nonce: number;
  from: string;
}

/** The program, the embedded server on a real chain, and the node under it. */
export interface Served {
  kind: NodeKind;
  node: RealNode;
  address: string;
  /** Where the server listens. */
  origin: string;
  /** Runs relayctl with these words until it ends. */
  run(...words: string[]): Promise<Ran>;
  /** Does the same with further variables of the environment. */
  runWith(more: Record<string, string>, ...words: string[]): Promise<Ran>;
  /** Sends a payment, and returns its record once it is broadcast. */
  send(...words: string[]): Promise<ServedRecord>;
  read(id: string): Promise<ServedRecord>;
  /** Mines blocks, or waits for them where nobody can ask for one. */
  mine(blocks?: number): Promise<void>;
  /** Mines a block every 100 ms while something runs, 2,400 at most. @param onBlock is called after each */
  mining<T>(work: Promise<T>, onBlock?: () => Promise<void>, most?: number): Promise<T>;
  stop(): Promise<void>;
}

/**
 * Starts a node and a server on it.
 * @param speed how much less its workers wait than usual; the times of its records run ahead by as much
 */
export async function serveOn(kind: NodeKind, speed = "20x", chain: ChainStart = {}): Promise<Served> {
  const node = await kind.start(chain);
  const home = mkdtempSync(join(tmpdir(), "relayctl-nodes-"));
  const [program, ...first] = PROGRAM;
  const words = [...first, "serve", "--node", `evm=${node.url}`, "--speed", speed];
  const server = spawn(program, words, { env: { PATH: process.env.PATH, HOME: home } });
  const said = await outputOf(server);
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, ...variablesIn(said) };
  const address = /is (0x[0-9a-f]{40})/.exec(said)?.[1] ?? "";
  await node.fund(address, 100n * ETH);

  const runWith = (more: Record<string, string>, ...argv: string[]) =>
    new Promise<Ran>((resolve) => {
      const options = { env: { ...env, ...more }, timeout: 600_000, maxBuffer: 2 ** 26 };
      execFile(program, [...first, ...argv], options, (error, stdout, stderr) =>
        resolve({ exitCode: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      );
    });
  const run = (...argv: string[]) => runWith({}, ...argv);
  const read = async (id: string) => JSON.parse((await run("tx", "get", "evm-local", id, "-o", "json")).stdout);
  const isDirected = kind.directions.includes("blocks");
  const mine = async (blocks = 1) => {
    const height = async () => Number(await node.call("eth_blockNumber"));
    const before = await height();
    for (let mined = 0; isDirected && mined < blocks; mined++) await node.call("evm_mine");
    await until(async () => (await height()) >= before + blocks);
  };
  return {
    kind,
    node,
    address,
    origin: String(env.RELAYCTL_SERVER),
    run,
    runWith,
    read,
    mine,
    async send(...more) {
      const argv = ["tx", "send", "evm-local", "--speed", "fast", "--yes", "-o", "json", ...more];
      const sent = await run(...argv);
      if (sent.exitCode !== 0) throw new Error(sent.stderr);
      const { id } = JSON.parse(sent.stdout) as ServedRecord;
      await until(async () => !["pending", "sent"].includes((await read(id)).status));
      return await read(id);
    },
    async mining(work, onBlock = async () => {}, most = 2_400) {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      for (let blocks = 0; !isOver && blocks < most; blocks++) {
        if (isDirected) await node.call("evm_mine");
        await onBlock();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return await over;
    },
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGINT");
      await ended;
      await node.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function outputOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const add = (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("RELAYCTL_TOKEN=") && /on chain/.test(said)) resolve(said);
    };
    server.stdout?.on("data", add);
    server.stderr?.on("data", add);
    server.once("exit", () => reject(new Error(said)));
  });
}

function variablesIn(said: string): Record<string, string> {
  return Object.fromEntries([...said.matchAll(/^export (\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]));
}

/** Returns what the chain itself says about a hash. */
export async function receiptOf(
  { node }: Served,
  hash: string,
): Promise<{ status: string; blockNumber: string } | null> {
  return (await node.call("eth_getTransactionReceipt", hash)) as { status: string; blockNumber: string } | null;
}

/** Directs the node, whose methods differ only in their first word: `setNextBlockBaseFeePerGas`. */
export async function direct({ kind, node }: Served, method: string, ...params: unknown[]): Promise<unknown> {
  return await node.call(`${kind.prefix}_${method}`, ...params);
}

export async function setBaseFee(served: Served, wei: bigint): Promise<void> {
  await direct(served, "setNextBlockBaseFeePerGas", hex(wei));
}

/** Sends a payment with the relayer's key, but not through the service; returns its hash. */
export async function sendElsewhere(served: Served, nonce: number): Promise<string> {
  const { address: from, node } = served;
  await direct(served, "impersonateAccount", from);
  return String(await node.call("eth_sendTransaction", { from, to: RECEIVER, value: "0x99", nonce: hex(nonce) }));
}
