import type { Standing } from "../../../src/chain/follow/followed.ts";
import { type WaitOptions, waitClient } from "../../../src/chain/follow/wait-client.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { chainNode } from "../fake-chain.ts";
import { EARLIER, record, TRANSFER } from "../verdict/records.ts";
import { clientOf } from "./followed-world.ts";

/** Waits for a transaction that is mined after three seconds. */
async function waited(options?: WaitOptions) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const second = () => clock.elapsed() / 1000;
  const asked: string[] = [];
  const nodes: string[] = [];
  const nodeAt = (url: string) => {
    nodes.push(url);
    const mined = () => (second() < 3 ? TRANSFER : { ...TRANSFER, block: 90 });
    const node = () => chainNode({ height: 100, indexed: true, transactions: [...EARLIER, mined()] });
    return { name: url, ask: (...request: Parameters<ReturnType<typeof node>["ask"]>) => node().ask(...request) };
  };
  const client = clientOf({ record: () => record() }, second, asked);
  const { wait } = waitClient({ clientFor: () => client, nodeAt, clock, interrupt });
  const rounds: (readonly Standing[])[] = [];
  for await (const standings of wait("evm-1", ["tx-1"], options)) rounds.push(standings);
  return { rounds: rounds.length, last: rounds.at(-1)?.[0], nodes, seconds: second() };
}

test("a program waits until the chain shows what became of a transaction", async () => {
  const node = "https://rpc.example.org/key";
  expect(await waited({ node })).toMatchObject({
    rounds: 4,
    seconds: 3,
    nodes: [node],
    last: { id: "tx-1", end: "reached", verdict: { verdict: "confirmed" } },
  });
});

test("a wait of a program ends at its deadline, by default after ten minutes", async () => {
  expect(await waited({ chain: false, deadline: 5_000 })).toMatchObject({ seconds: 5, last: { end: "pending" } });
  expect(await waited({ chain: false })).toMatchObject({ seconds: 600, last: { end: "pending" } });
});
