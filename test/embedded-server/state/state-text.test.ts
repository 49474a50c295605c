import { stateFromText, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo, START, stoppedClock } from "../ask.ts";

test.each(["demo", "empty", "fleet:1000000"])("the seed %s survives a round trip through text", (seed) => {
  const state = seedState(seed);
  state.relayers.put({ id: "new", policies: { gas_price_cap: 2n ** 128n - 1n } });
  state.hashes = 77;
  const again = stateFromText(stateToText(state));
  expect(again.hashes).toBe(77);
  expect(again.relayers.size()).toBe(state.relayers.size());
  expect(stateToText(again)).toBe(stateToText(state));
});

test("keeps every digit, and the secrets that responses hide", () => {
  const text = stateToText(seedState("demo"));
  expect(text).toContain("340282366920938463463374607431768211455");
  expect(text).toContain("demo-signing-key-of-the-ops-hook-0001");
  expect(text).toContain("https://rpc.example.org/v3/5b2f8c1d7a904e63");
});

const whole = { version: 1, fleet: 0, relayers: [], notifications: [], transactions: [], hashes: 0 };

test.each([
  ["", "unexpected end of the text at line 1 column 1"],
  ['{"version":1', "expected } at line 1 column 13"],
  ["[]", "not a JSON object"],
  ["{}", "written by another version of relayctl"],
  [JSON.stringify({ ...whole, version: 2 }), "written by another version of relayctl"],
  [JSON.stringify({ ...whole, fleet: -1 }), "fleet must be a whole number of 0 or more"],
  [JSON.stringify({ ...whole, hashes: "7" }), "hashes must be a whole number of 0 or more"],
  [JSON.stringify({ ...whole, relayers: {} }), "relayers must be a list of objects with an id"],
  [JSON.stringify({ ...whole, transactions: [{ id: 7 }] }), "transactions must be a list of objects with an id"],
])("refuses the text %j, with the reason", (text, reason) => {
  expect(() => stateFromText(text)).toThrow(RelayctlError);
  expect(() => stateFromText(text)).toThrow(`the state of the embedded server cannot be read: ${reason}`);
});

test("does not quote a refused text", () => {
  const text = '{"version":1,"relayers":"hunter2" "hunter3"}';
  expect(() => stateFromText(text)).toThrow("expected } at line 1 column 35");
  expect(() => stateFromText(text)).not.toThrow("hunter");
});

test("a cancellation that an earlier version kept in progress is sent, and the transaction ends as canceled", async () => {
  const id = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
  const { chains: _, ...kept } = JSON.parse(stateToText(seedState("demo")));
  const record = kept.transactions.find((each: { id: string }) => each.id === id);
  Object.assign(record, { to: record.from, value: "0", data: "0x", is_canceled: true });
  kept.courses = [{ id, next: "mined", due: START, end: "canceled" }];
  const clock = stoppedClock();
  const ask = askDemo({ clock, store: memoryStore(stateFromText(JSON.stringify(kept))) });
  clock.time = 60_000;
  expect((await ask("GET", `/relayers/eth-main-1/transactions/${id}`)).data).toMatchObject({ status: "canceled" });
});
