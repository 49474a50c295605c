import { serverOver } from "../../../src/embedded-server/server.ts";
import { createCollection, type Generated } from "../../../src/embedded-server/state/collection.ts";
import {
  type KeptText,
  stateFromText,
  stateTextStore,
  stateToText,
} from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore, movingStore, readStoreWhenDue } from "../../../src/embedded-server/state/store.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { demoStore, seedState } from "../../helpers/seed-state.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { askDemo, START, stoppedClock, TOKEN, UUID } from "../ask.ts";

const three: Generated = {
  size: 3,
  at: (position) => ({ id: `made-${position}` }),
  positionOf: (id) => [0, 1, 2].find((position) => id === `made-${position}`),
};

function collection() {
  return createCollection([{ id: "a" }, { id: "b" }], three);
}

test.each([
  [0, 2, ["made-0", "made-1"]],
  [0, 10, ["made-0", "made-1", "made-2", "a", "b"]],
  [2, 2, ["made-2", "a"]],
  [3, 1, ["a"]],
  [4, 5, ["b"]],
  [5, 5, []],
  [99, 5, []],
  [0, 0, []],
  [4, 0, []],
])("a page from %i of %i has generated items before added ones", (start, count, ids) => {
  const page = collection().page(start, count);
  expect(page.map(({ id }) => id)).toEqual(ids);
});

test("a changed item keeps its position", () => {
  const changed = collection();
  changed.put({ id: "made-0", name: "first" });
  changed.put({ id: "a", name: "fourth" });
  changed.put({ id: "c" });
  expect(changed.page(0, 10)).toEqual([
    { id: "made-0", name: "first" },
    { id: "made-1" },
    { id: "made-2" },
    { id: "a", name: "fourth" },
    { id: "b" },
    { id: "c" },
  ]);
  expect(changed.size()).toBe(6);
});

test("holds only stored items, and finds every item by its ID", () => {
  const changed = collection();
  changed.put({ id: "made-2", name: "third" });
  expect(changed.held()).toEqual([{ id: "a" }, { id: "b" }, { id: "made-2", name: "third" }]);
  const found = ["made-1", "made-2", "b", "made-3", "constructor"].map((id) => changed.get(id));
  expect(found).toEqual([{ id: "made-1" }, { id: "made-2", name: "third" }, { id: "b" }, undefined, undefined]);
});

test.each([
  [["made-1"], ["made-0", "made-2", "a", "b"]],
  [
    ["made-0", "made-1", "made-2"],
    ["a", "b"],
  ],
  [["a"], ["made-0", "made-1", "made-2", "b"]],
  [
    ["made-2", "b", "nothing"],
    ["made-0", "made-1", "a"],
  ],
])("a removed item is missing from every page: %j", (removed, left) => {
  const changed = collection();
  for (const id of removed) changed.remove(id);
  expect(changed.all().map(({ id }) => id)).toEqual(left);
  expect(left.map((_, start) => changed.page(start, 1)[0]?.id)).toEqual(left);
  expect(changed.size()).toBe(left.length);
  for (const id of removed) expect(changed.get(id)).toBeUndefined();
});

test("a removed item can be added again", () => {
  const changed = collection();
  for (const id of ["made-0", "a"]) {
    changed.remove(id);
    changed.put({ id, name: "again" });
    expect(changed.get(id)).toEqual({ id, name: "again" });
  }
  expect(changed.size()).toBe(5);
  expect(changed.removed()).toEqual([]);
});

test("a removed generated item stays removed in a restored collection", () => {
  const changed = collection();
  changed.remove("made-1");
  const again = createCollection(changed.held(), three, changed.removed());
  expect(again.all()).toEqual(changed.all());
});

describe("the text of a state", () => {
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
});

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
  const wake = readStoreWhenDue(store, clock, end.signal);
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

describe("a stored text", () => {
  /** A text in memory that counts how often it was written. */
  function keptText(text?: string) {
    const kept: KeptText & { text: string | undefined; writes: number } = {
      text,
      writes: 0,
      load: async () => kept.text,
      change: async (edit) => {
        kept.text = edit(kept.text);
        kept.writes += 1;
      },
    };
    return kept;
  }

  const seeded = () => seedState("demo");

  test("writes the seed at the first read, so that later reads show the same times", async () => {
    const kept = keptText();
    const starts = [3_600_000, 7_200_000];
    const store = stateTextStore(kept, () => seedState("demo", starts.shift()));
    const created = async () => {
      const { items } = await askDemo({ store })("GET", "/relayers/sol-pay/transactions");
      return items.map(({ created_at }) => created_at);
    };
    expect(await created()).toEqual(["1970-01-01T00:58:30.000000000+00:00"]);
    expect(await created()).toEqual(["1970-01-01T00:58:30.000000000+00:00"]);
    expect(kept.writes).toBe(1);
  });

  test("shows the seed to a reader where nothing can be written", async () => {
    const kept = { ...keptText(), change: () => Promise.reject(new Error("read-only")) };
    const { items } = await askDemo({ store: stateTextStore(kept, seeded) })("GET", "/relayers");
    expect([items.length, await kept.load()]).toEqual([8, undefined]);
  });

  test("keeps the times of a text that was written before", async () => {
    const kept = keptText(stateToText(seedState("demo", 0)));
    const { items } = await askDemo({ store: stateTextStore(kept, seeded) })("GET", "/relayers/sol-pay/transactions");
    expect(items.map(({ created_at }) => created_at)).toEqual(["1969-12-31T23:58:30.000000000+00:00"]);
    expect(kept.writes).toBe(0);
  });

  test("shows the changes of one server to another server over the same text", async () => {
    const kept = keptText();
    const first = askDemo({ store: stateTextStore(kept, seeded) });
    await first("PATCH", "/relayers/eth-main-1", { paused: true });
    await first("POST", "/notifications", { id: "pager", url: "https://pager.example.org" });
    const second = askDemo({ store: stateTextStore(kept, () => seedState("empty")) });
    expect((await second("GET", "/relayers/eth-main-1")).data.paused).toBe(true);
    expect((await second("GET", "/notifications/pager")).status).toBe(200);
    // The seed, and two changes.
    expect(kept.writes).toBe(3);
  });

  test("gives each hash to one server only", async () => {
    const kept = keptText();
    const path = "/relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
    const replaced = async () => {
      const ask = askDemo({ store: stateTextStore(kept, seeded) });
      return (await ask("PUT", path, { value: 1 })).data.hash;
    };
    expect(await replaced()).not.toBe(await replaced());
  });

  test("writes nothing for a refused change", async () => {
    const kept = keptText(stateToText(seeded()));
    const { status } = await askDemo({ store: stateTextStore(kept, seeded) })("PATCH", "/relayers/eth-main-1", {
      paused: 1,
    });
    expect([status, kept.writes]).toEqual([400, 0]);
  });

  test("reports an unreadable text to the caller, and leaves the text unchanged", async () => {
    const kept = keptText("{");
    const ask = askDemo({ store: stateTextStore(kept, seeded, "demo.json", "relayctl demo reset") });
    const message = expect.stringMatching(/^demo\.json cannot be read: .* at line 1 column 2$/);
    const error = expect.objectContaining({ message, hint: "relayctl demo reset" });
    await expect(ask("GET", "/relayers")).rejects.toEqual(error);
    await expect(ask("PATCH", "/relayers/eth-main-1", {})).rejects.toEqual(error);
    expect([kept.text, kept.writes]).toEqual(["{", 0]);
  });
});
