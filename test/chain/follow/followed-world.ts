import { followTransactions } from "../../../src/chain/follow/follow.ts";
import type { FollowRequest } from "../../../src/chain/follow/follow-request.ts";
import type { Goal, Standing, Target } from "../../../src/chain/follow/followed.ts";
import type { NodeFault } from "../../../src/chain/node/node.ts";
import type { ChainSource } from "../../../src/chain/open-chain.ts";
import type { Client } from "../../../src/client/client.ts";
import type { Relayer } from "../../../src/contract/resources/relayer.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { chainNode, type FakeChain } from "../fake-chain.ts";
import { EARLIER } from "../verdict/records.ts";

/** What the service and the chain show at a time, in seconds since following began. */
export interface Story {
  /** The record of an ID; an error is thrown, and null is a 404. */
  record(second: number, id: string): Transaction | RelayctlError | null;
  /** The chain, or why its node cannot be asked. */
  chain?(second: number): Partial<FakeChain> | { fault: NodeFault };
  relayer?(second: number): object | RelayctlError;
  network?: object | ((second: number) => object | RelayctlError);
}

export interface How {
  targets?: readonly Target[];
  goal?: Goal;
  usesChain?: boolean;
  readsFees?: boolean;
  /** Seconds. */
  deadline?: number;
  /** The second at which Ctrl-C is pressed. */
  interruptAt?: number;
}

const RELAYER = { id: "evm-1", network: "localhost", network_type: "evm", paused: false, policies: {} };
const NETWORK = { chain_id: 1, required_confirmations: 1, tags: [], average_blocktime_ms: 12_000 };

const failing = (failure: "network" | "rate_limited", words = failure as string) => new RelayctlError(failure, words);
export const outage = () => failing("network", "the connection was reset");
export const broken = () =>
  new RelayctlError("server", "internal error", { http: { status: 500, method: "GET", path: "/" } });
export const limited = () => failing("rate_limited", "too many requests");

/** Follows transactions through a story on a clock that passes at once. */
export async function followed(story: Story, how: How = {}) {
  const { deadline = 600, goal = { until: "confirmed" }, targets = [{ relayerId: "evm-1", id: "tx-1" }] } = how;
  const clock = manualClock();
  const interrupt = new AbortController();
  const asked: string[] = [];
  const second = () => clock.elapsed() / 1000;
  const request: FollowRequest = {
    client: clientOf(story, second, asked),
    targets,
    goal,
    usesChain: how.usesChain ?? true,
    readsFees: how.readsFees ?? false,
    ownNode: async () => ({
      name: "the node of evm-1",
      ask: (...request) => nodeAt(story, second(), asked).ask(...request),
    }),
    clock: {
      ...clock,
      sleep: async (milliseconds, signal) => {
        if (!signal?.aborted) await clock.sleep(milliseconds);
        if (how.interruptAt !== undefined && second() >= how.interruptAt) interrupt.abort("interrupted");
      },
    },
    interrupt: interrupt.signal,
    remaining: () => deadline * 1000 - clock.elapsed(),
  };
  const rounds: { second: number; standings: readonly Standing[] }[] = [];
  let error: unknown;
  try {
    for await (const standings of followTransactions(request)) rounds.push({ second: second(), standings });
  } catch (caught) {
    error = caught;
  }
  const last = rounds.at(-1)?.standings ?? [];
  return {
    rounds,
    last,
    end: last[0]?.end,
    verdict: last[0]?.verdict,
    error,
    seconds: second(),
    asked,
    slept: clock.slept,
  };
}

export function clientOf(story: Story, second: () => number, asked: string[]): FollowRequest["client"] {
  const found = (id: string): Transaction => {
    const record = story.record(second(), id);
    if (record instanceof RelayctlError) throw record;
    if (record === null) throw new RelayctlError("not_found", `Transaction with ID ${id} not found`);
    return record;
  };
  const result = <T>(data: T) => ({ data, body: new Uint8Array(), unconfirmed: [] });
  const tx = {
    async get(_: string, id: string) {
      asked.push(`get ${id}`);
      return result(found(id));
    },
    async *list() {
      asked.push("list");
      const items = listed(story, second());
      yield { items, total: items.length, body: new Uint8Array() };
    },
    getByNonce: async () => Promise.reject(new RelayctlError("not_found", "no transaction with this nonce")),
  };
  const relayers = {
    async get() {
      asked.push("relayer");
      const relayer = story.relayer?.(second()) ?? {};
      if (relayer instanceof RelayctlError) throw relayer;
      return result({ ...RELAYER, ...relayer } as unknown as Relayer);
    },
  };
  const networks = {
    async get() {
      asked.push("network");
      const network = typeof story.network === "function" ? story.network(second()) : story.network;
      if (network instanceof RelayctlError) throw network;
      return result({ ...NETWORK, ...network });
    },
  };
  return { tx: tx as unknown as Client["tx"], relayers, networks } as unknown as ChainSource["client"] &
    Pick<Client, "tx">;
}

function listed(story: Story, second: number): Transaction[] {
  const ids = Array.from({ length: 20 }, (_, index) => `tx-${index + 1}`);
  const records = ids.map((id) => story.record(second, id));
  const error = records.find((record) => record instanceof RelayctlError);
  if (error) throw error;
  return records.filter((record) => record !== null && !(record instanceof RelayctlError)) as Transaction[];
}

function nodeAt(story: Story, second: number, asked: string[]) {
  const chain = story.chain?.(second) ?? {};
  if ("fault" in chain) return { ask: async () => ({ fault: chain.fault }) };
  const { transactions = [], ...rest } = chain as Partial<FakeChain>;
  const node = chainNode({
    height: 100,
    age: -Math.floor(second),
    indexed: true,
    ...rest,
    transactions: [...EARLIER, ...transactions],
  });
  return {
    ask: async (method: string, params: Parameters<typeof node.ask>[1]) => {
      asked.push(method);
      return await node.ask(method, params);
    },
  };
}
