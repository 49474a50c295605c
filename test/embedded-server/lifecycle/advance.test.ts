import { stateTextStore } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { type ApiRequest, askDemo, localState, START, stoppedClock } from "../ask.ts";

const BASE = "/relayers/local-1/transactions";
const MAIN = "/relayers/eth-main-1/transactions";
const STUCK = `${MAIN}/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50`;
const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

/** A server on a clock, with ids in order. */
function world() {
  const clock = stoppedClock();
  let ids = 0;
  const store = memoryStore(localState());
  const ask = askDemo({ clock, store, random: { uuid: () => `tx-${++ids}`, fraction: () => 0 } });
  const at = async (time: number, path: string) => {
    clock.time = time;
    return (await ask("GET", path)).data;
  };
  return { clock, ask, at };
}

async function sent(ask: ApiRequest, relayer = BASE, more: object = {}): Promise<string> {
  const { data } = await ask("POST", relayer, { to: TO, value: 1, speed: "fast", ...more });
  return `${relayer}/${data.id}`;
}

test("a transaction goes from pending to confirmed as time passes, however often it is read", async () => {
  const { ask, at } = world();
  const path = await sent(ask);
  const times = [0, 999, 1000, 1999, 2000, 30_999, 31_000, 45_999, 46_000];
  const states = [];
  for (const time of times) states.push([time, (await at(time, path)).status]);
  expect(states).toEqual([
    [0, "pending"],
    [999, "pending"],
    [1000, "sent"],
    [1999, "sent"],
    [2000, "submitted"],
    [30_999, "submitted"],
    [31_000, "mined"],
    [45_999, "mined"],
    [46_000, "confirmed"],
  ]);
});

test("each status sets its fields and its own time, even if it is read later", async () => {
  const { ask, at } = world();
  const path = await sent(ask);
  expect(await at(1000, path)).toMatchObject({
    nonce: 0,
    gas_limit: 21000,
    max_fee_per_gas: "10850000000",
    max_priority_fee_per_gas: "850000000",
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    sent_at: null,
    signature: { v: expect.any(Number) },
  });
  expect(await at(3_600_000, path)).toMatchObject({
    sent_at: "2026-11-21T03:12:09.000000000+00:00",
    confirmed_at: "2026-11-21T03:12:53.000000000+00:00",
  });
});

test.each([
  ["fastest", 11_000],
  ["fast", 31_000],
  ["average", 61_000],
  ["safeLow", 121_000],
])("with speed %s, a transaction is mined after %i ms", async (speed, time) => {
  const { ask, at } = world();
  const path = await sent(ask, BASE, { speed });
  expect((await at(time - 1, path)).status).toBe("submitted");
  expect((await at(time, path)).status).toBe("mined");
});

test("nonces are assigned in the order of the transactions, after the existing nonces", async () => {
  const { ask, at } = world();
  const paths = [await sent(ask, MAIN), await sent(ask, MAIN)];
  expect(await Promise.all(paths.map(async (path) => (await at(1000, path)).nonce))).toEqual([11, 12]);
});

test("a transaction waits for a lower nonce that is stuck, and is mined after that nonce is replaced", async () => {
  const { clock, ask, at } = world();
  const path = await sent(ask, MAIN);
  expect((await at(3_600_000, path)).status).toBe("submitted");
  await ask("PUT", STUCK, { to: TO, value: 1, speed: "fastest" });
  // Mainnet has a block every 12 s: the first one after 15 s is 17 s later.
  expect((await at(clock.time + 16_999, path)).status).toBe("submitted");
  expect((await at(clock.time + 1, path)).status).toBe("mined");
  expect((await at(clock.time, STUCK)).status).toBe("mined");
});

test("a replacement of a submitted transaction is mined under its new hash", async () => {
  const { ask, at } = world();
  const path = await sent(ask);
  await at(10_000, path);
  const { hash } = (await ask("PUT", path, { to: TO, value: 2 })).data;
  expect((await at(19_999, path)).status).toBe("submitted");
  expect(await at(55_000, path)).toMatchObject({ status: "confirmed", value: "2", hash });
});

test("a replacement with a speed is priced and signed again before it is sent", async () => {
  const { ask, at } = world();
  const path = await sent(ask);
  await at(10_000, path);
  const { hash } = (await ask("PUT", path, { to: TO, value: 2, speed: "fastest" })).data;
  expect((await at(10_999, path)).hash).toBe(hash);
  const { hash: third } = await at(11_000, path);
  expect(third).not.toBe(hash);
  expect(await at(55_000, path)).toMatchObject({ status: "confirmed", value: "2", hash: third });
});

test("a Stellar transaction goes from submitted to confirmed", async () => {
  const account = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
  const payment = { type: "payment", destination: account, amount: "1", asset: { type: "native" } };
  const { ask, at } = world();
  const { id } = (
    await ask("POST", "/relayers/xlm-treasury/transactions", { network: "mainnet", operations: [payment] })
  ).data;
  const path = `/relayers/xlm-treasury/transactions/${id}`;
  expect(await at(2000, path)).toMatchObject({ status: "submitted", fee: 100, sequence_number: 4294967298 });
  expect(await at(8000, path)).toMatchObject({ status: "confirmed", hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test("several servers over one file continue the same transaction", async () => {
  const clock = stoppedClock();
  const kept = { text: undefined as string | undefined };
  const store = stateTextStore(
    {
      load: async () => kept.text,
      change: async (edit) => {
        kept.text = edit(kept.text);
      },
    },
    localState,
  );
  const path = await sent(askDemo({ clock, store }));
  clock.time = 10_000;
  expect((await askDemo({ clock, store })("GET", path)).data.status).toBe("submitted");
  await askDemo({ clock, store })("DELETE", path);
  clock.time = 60_000;
  expect((await askDemo({ clock, store })("GET", path)).data.status).toBe("canceled");
});

test("deleting a relayer ends the progress of its transactions", async () => {
  const { clock, ask } = world();
  await sent(ask);
  clock.time = 32_000;
  expect((await ask("DELETE", "/relayers/local-1")).status).toBe(200);
  clock.time = 60_000;
  expect((await ask("GET", "/relayers")).status).toBe(200);
});

describe("the expiry of a transaction", () => {
  const WHY = "Transaction is expired. Replacing with NOOP.";

  /** What becomes of a transaction that is valid for so many seconds. */
  async function sent(relayer: string, body: object, seconds: number) {
    const clock = stoppedClock();
    const ask = askDemo({ clock, store: memoryStore(localState()) });
    const valid_until = new Date(START + seconds * 1000).toISOString();
    const { status, data } = await ask("POST", `/relayers/${relayer}/transactions`, { ...body, valid_until });
    expect(status).toBe(200);
    return async (at: number) => {
      clock.time = at * 1000;
      return (await ask("GET", `/relayers/${relayer}/transactions/${data.id}`)).data;
    };
  }

  const evm = (seconds: number) => sent("local-1", { to: TO, value: 1, speed: "fast" }, seconds);
  const stellar = (seconds: number) => {
    const payment = { type: "payment", destination: `GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7` };
    const operations = [{ ...payment, amount: 1, asset: { type: "native" } }];
    return sent("xlm-treasury", { network: "mainnet", operations }, seconds);
  };

  test("a pending EVM transaction that expires fails, with the reason of a replacement", async () => {
    const seen = await evm(0.5);
    expect(await seen(0.4)).toMatchObject({ status: "pending", status_reason: null });
    expect(await seen(60)).toMatchObject({ status: "failed", status_reason: WHY, nonce: null });
  });

  test.each([1.5, 10])(
    "a sent EVM transaction that expires after %d s becomes a NOOP and is confirmed",
    async (seconds) => {
      const seen = await evm(seconds);
      const before = await seen(seconds - 0.1);
      const after = await seen(seconds);
      expect(after).toMatchObject({ status: "submitted", status_reason: WHY, to: after.from, value: "0", data: "0x" });
      expect(after.hash).not.toBe(before.hash);
      expect(after.nonce).toBe(before.nonce);
      expect(await seen(120)).toMatchObject({ status: "confirmed", status_reason: WHY, to: after.from });
    },
  );

  test("a transaction that is mined in time stays unchanged", async () => {
    const seen = await evm(40);
    expect(await seen(120)).toMatchObject({ status: "confirmed", status_reason: null, to: TO });
  });

  test("a Stellar transaction ends as expired", async () => {
    const seen = await stellar(5);
    expect(await seen(4.9)).toMatchObject({ status: "submitted" });
    expect(await seen(5)).toMatchObject({ status: "expired", status_reason: "Transaction time_bounds expired" });
    expect(await seen(60)).toMatchObject({ status: "expired" });
  });
});
