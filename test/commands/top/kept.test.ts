import type { TopState } from "../../../src/commands/top/state.ts";
import { DEEP } from "../../helpers/deep.ts";
import { success, wholeList } from "../../helpers/service/reply.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { SERVER, TOKEN } from "../../helpers/test-app.ts";

const seen: { state?: TopState } = {};

/** Loads the screen from scratch, with a core whose state can be seen: tests of one worker share loaded modules. */
async function loadTop() {
  vi.resetModules();
  vi.doMock("../../../src/commands/top/reduce.ts", async (original) => {
    const real = await original<typeof import("../../../src/commands/top/reduce.ts")>();
    const reduceTop: typeof real.reduceTop = (state, event) => {
      const step = real.reduceTop(state, event);
      seen.state = step.state;
      return step;
    };
    return { ...real, reduceTop };
  });
  return await import("./shown-top.ts");
}

afterAll(() => {
  vi.doUnmock("../../../src/commands/top/reduce.ts");
  vi.resetModules();
});

function count(value: unknown, counted: Set<unknown> = new Set()): number {
  if (typeof value !== "object" || value === null || counted.has(value)) return 1;
  counted.add(value);
  const parts = value instanceof Map ? [...value.values()] : value instanceof Uint8Array ? [] : Object.values(value);
  return parts.reduce((sum: number, part) => sum + count(part, counted), 1);
}

const MINUTE = 60_000;
/** A fleet in which a relayer is replaced each minute, and another one ends a transaction. */
function busyService(clock: ReturnType<typeof steppedClock>) {
  const now = () => Math.floor(clock.elapsed() / MINUTE);
  const relayer = (id: string) => ({ id, name: id, network: "n", network_type: "evm" });
  const transaction = (minute: number) => ({
    id: `t-${minute}`,
    ...{ relayer_id: "steady", status: "confirmed", nonce: minute, value: "1" },
    created_at: new Date(clock.now() - 1_000).toISOString(),
    hash: `0x${String(minute).padStart(64, "0")}`,
    to: `0x${String(minute).padStart(40, "0")}`,
  });
  return async ({ target, method }: { target: string; method: string }) => {
    if (method !== "GET") return success({ jsonrpc: "2.0", id: 1, result: "0x1" });
    const ids = ["steady", ...[0, 1, 2, 3].map((each) => `r-${now() + each}`)];
    if (/\/relayers\?/.test(target)) return wholeList(ids.map(relayer));
    if (target.includes("/transactions"))
      return wholeList(Array.from({ length: 20 }, (_, each) => transaction(20 * now() + each)));
    if (target.includes("/networks/"))
      return success({ id: "evm:n", name: "n", network_type: "evm", explorer_urls: ["https://explorer.example.org"] });
    if (target.endsWith("/status"))
      return success({
        network_type: "evm",
        balance: String(10 ** 9 - now()),
        pending_transactions_count: 0,
        nonce: "1",
      });
    return success(relayer(/relayers\/([^/?]+)/.exec(target)?.[1] ?? "steady"));
  };
}

// Loading everything again takes longer than most tests.
test.runIf(DEEP)("what is kept does not grow with the events of a day, in which relayers come and go", async () => {
  const { shownTop } = await loadTop();
  const clock = steppedClock();
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, NO_COLOR: "1", FORCE_HYPERLINK: "1" };
  const top = await shownTop("top --every 60s", { env, service: busyService(clock) }, clock);
  const minutes = async (number: number) => {
    for (let step = 0; step < 2 * number; step++) await clock.pass(MINUTE / 2);
  };
  if (!seen.state) throw new Error(top.stderr.text());
  await top.type("/", ..."steady", "enter", "enter");
  await minutes(240);
  const [earlier, words] = [count(seen.state), top.app.links.words.size];
  expect(seen.state?.events).toHaveLength(200);
  expect(words).toBeGreaterThan(40);
  await minutes(24 * 60);
  // Balances are sampled once a minute for a day.
  expect(count(seen.state)).toBeLessThan(earlier + 50);
  expect(seen.state?.events).toHaveLength(200);
  expect(top.app.links.words.size).toBeLessThan(2_100);
  for (const source of seen.state?.sources ?? [])
    for (const { size } of [source.hours, source.jams, source.fees]) expect(size).toBeLessThanOrEqual(8);
  top.interrupt.abort("interrupted");
  await top.ended;
});
