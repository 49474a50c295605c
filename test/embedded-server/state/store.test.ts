import { serverOver } from "../../../src/embedded-server/server.ts";
import { keepStoreMoving, movingStore } from "../../../src/embedded-server/state/store.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { TOKEN, UUID } from "../ask.ts";

/** A server whose transactions move by themselves, and the states that it reported. */
function world() {
  const clock = steppedClock();
  const end = new AbortController();
  const told: unknown[] = [];
  const store = movingStore(demoStore(), clock.now, (updates) => {
    told.push(
      ...updates.map((update) => ["transaction" in update && update.transaction.status, update.timestamp - start]),
    );
    wake();
  });
  const wake = keepStoreMoving(store, clock, end.signal);
  const start = clock.now();
  const server = serverOver({ token: TOKEN, store, clock, random: { uuid: () => UUID, fraction: () => 0 } });
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const post = (relayer: string) => {
    const body = '{"to":"0x90f79bf6eb2c4f870365e785982e1f101e93b906","value":1,"speed":"fastest"}';
    return server({ method: "POST", target: `/api/v1/relayers/${relayer}/transactions`, headers, body });
  };
  return { clock, end, told, post };
}

test("a transaction advances without requests", async () => {
  const { clock, told, post } = world();
  await post("base-hot");
  await clock.pass(60_000);
  expect(told).toEqual([
    ["sent", 1000],
    ["submitted", 2000],
    ["mined", 11_000],
    ["confirmed", 26_000],
  ]);
});

test("a blocked transaction stays as it is", async () => {
  const { clock, told, post } = world();
  await post("eth-main-1");
  await clock.pass(600_000);
  expect(told).toEqual([
    ["sent", 1000],
    ["submitted", 2000],
  ]);
});

test("no transaction advances after the server ends", async () => {
  const { clock, end, told, post } = world();
  await post("base-hot");
  end.abort();
  await clock.pass(60_000);
  expect(told).toEqual([]);
});
