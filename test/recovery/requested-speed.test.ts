import type { Intent } from "../../src/journal/journal.ts";
import { findSends } from "../../src/recovery/find-sends.ts";
import { type FindingWorld, lostSendOf } from "../../src/recovery/lost-send.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";

const TO = `0x${"3c".repeat(20)}`;
const TIME = "2026-11-21T03:00:00.000Z";
const BODY = { to: TO, value: "1001", gas_limit: 21_000 };
const RECORD = { id: "tx-1", to: TO, value: "0x3e9", gas_limit: 21_000, created_at: "2026-11-21T03:00:11.482+00:00" };

function intent(changes: Partial<Intent>): Intent {
  return {
    ...{ type: "intent", id: "intent-1", run: "run-1", time: TIME, user: "ada", host: "console" },
    ...{ server: "https://relayer.example", command: "relayctl tx send base-hot", operation: "tx.send", kind: "once" },
    ...{ method: "POST", target: "/api/v1/relayers/base-hot/transactions", ids: { relayer_id: "base-hot" } },
    ...changes,
  };
}

/** Looks for a request in a list with one record that agrees with it. */
async function find(lost: Intent, record: object, others: readonly Intent[] = []) {
  const data = { ...RECORD, ...record };
  const tx = {
    async *list() {
      yield { items: [data] };
    },
    get: async () => ({ data }),
  };
  const world = {
    ...{ server: lost.server, relayerId: "base-hot", client: { tx }, now: () => Date.parse(TIME) + 200_000 },
    journal: memoryJournal({ entries: [lost, ...others] }),
  };
  const found = await findSends(world as unknown as FindingWorld, [lostSendOf(lost)]);
  return found.get(lost.id);
}

const SLOW = intent({ body: { ...BODY, speed: "safeLow" } });

test.each([
  ["the requested speed", SLOW, { speed: "safeLow" }],
  ["none, as version 1.0 of the service has none", SLOW, {}],
  ["null", SLOW, { speed: null }],
  ["some speed, and none was requested", intent({ body: BODY }), { speed: "fast" }],
  [
    "another speed than a payment in bulk, whose gas limit is its own",
    intent({ body: { ...BODY, speed: "safeLow" }, payment: { row: 1 } }),
    { speed: "fast" },
  ],
])("a record is that of a request if it shows %s", async (_, lost, record) => {
  expect(await find(lost, record)).toMatchObject({ state: "sent" });
});

test("an equal payment at another speed may be that of another client, and keeps the request unknown", async () =>
  expect(await find(SLOW, { speed: "fast" })).toEqual({
    state: "unknown",
    because: "transaction tx-1 agrees with it, but was requested at another speed, or replaced since",
    candidates: ["tx-1"],
  }));

test("a record whose speed the journal replaced is that of the request", async () => {
  const bump = intent({
    ...{ id: "intent-2", run: "run-2", time: "2026-11-21T03:01:00.000Z", operation: "tx.replace", method: "PUT" },
    ids: { relayer_id: "base-hot", transaction_id: "tx-1" },
    before: { to: TO, value: "0x3e9", gas_limit: 21_000, speed: "safeLow" },
    body: { ...BODY, value: 1001, speed: "fastest" },
  });
  expect(await find(SLOW, { speed: "fastest" }, [bump])).toMatchObject({ state: "sent" });
  const other = { ...bump, before: { ...bump.before, speed: "fast" } };
  expect(await find(SLOW, { speed: "fastest" }, [other])).toMatchObject({ state: "unknown", candidates: ["tx-1"] });
});
