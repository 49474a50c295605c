import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { askDemo, localState, START, stoppedClock } from "../ask.ts";

const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
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
