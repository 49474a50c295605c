import { examineTx, type Question } from "../../src/chain/examine.ts";
import { openChain } from "../../src/chain/open-chain.ts";
import type { Verdict } from "../../src/chain/verdict/verdict.ts";
import { createThrottle } from "../../src/client/attempt/throttle.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import type { Clock } from "../../src/client/clock.ts";
import { createJsonRpcIds } from "../../src/client/json-rpc.ts";
import type { Transaction } from "../../src/contract/transaction/transaction.ts";
import { RelayctlError } from "../../src/errors.ts";
import type { Network } from "./model/network.ts";
import type { ModelWorld } from "./model/world.ts";
import { counted } from "./program.ts";

/** What a user knows of a transaction: its records, oldest first, and hashes from receipts. */
export interface Memory {
  id: string;
  records: Transaction[];
  hashes: string[];
}

/** A verdict, and what it rests on. */
export interface Found {
  verdict: Verdict;
  question: Question;
  /** The chain's changes that it may have seen. */
  from: number;
  to: number;
  /** The newest block when it was worked out, and when that began. */
  head: number;
  firstHead?: number;
}

export function libraryClient({ timeline, deceptions }: ModelWorld, network: Network, uses: { waits: number }): Client {
  const never = new AbortController().signal;
  const send = network.transportFor([], () => true);
  const { elapsed, sleep } = timeline.clock;
  const now = () => timeline.clock.now() + deceptions.clockAhead;
  const clock: Clock = { now, elapsed, sleep: (time, signal) => counted(uses, sleep(time, signal)) };
  return createClient({
    transport: (request, limits) => counted(uses, send(request, limits)),
    token: "chaos-token-of-32-characters-0001",
    clock,
    random: { uuid: () => "00000000-0000-4000-9000-000000000000", fraction: () => 0.5 },
    throttle: createThrottle(clock),
    knownKeys: new Map(),
    latest: { date: 0 },
    nextRpcId: createJsonRpcIds(clock),
    timeout: 5_000,
    retries: 2,
    heapLimit: () => 4 * 2 ** 30,
    interrupt: never,
    abandon: never,
    report: () => {},
  });
}

/** Asks service and chain what became of a transaction; undefined if the service does not show it at all. */
export async function examineTransaction(
  world: ModelWorld,
  client: Client,
  memory: Memory,
  options: Pick<Question, "wanted" | "isStrict"> = {},
): Promise<Found | undefined> {
  const from = world.chain.changes.length;
  const firstHead = world.chain.head.number;
  const isGone = await remember(client, memory);
  const [first, ...rest] = memory.records;
  if (isGone === undefined || !first) return undefined;
  const relayerId = world.relayer.id;
  const chain = await openChain({ client, relayerId });
  const { hashes } = memory;
  const now = world.timeline.clock.now() + world.deceptions.clockAhead;
  const records: Question["records"] = [first, ...rest];
  const question: Question = { relayerId, records, isGone, hashes, now, ...options };
  const { verdict } = await examineTx(chain, client, question);
  return { verdict, question, from, to: world.chain.changes.length, head: world.chain.head.number, firstHead };
}

/** Reads the record once more. Returns whether it was deleted; undefined if that cannot be read. */
async function remember(client: Client, memory: Memory): Promise<boolean | undefined> {
  try {
    const { data } = await client.tx.get("evm-1", memory.id);
    memory.records.push(data);
    return false;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return error.failure === "not_found" ? true : undefined;
  }
}
