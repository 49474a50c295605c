import { expect, test } from "vitest";
import { seedState } from "../../src/demo/seed.ts";
import { memoryStore } from "../../src/demo/state/store.ts";
import { stateToText } from "../../src/demo/state/state-text.ts";
import { askDemo } from "./ask.ts";

const MILLION = 1_000_000;

function fleet(size: number) {
  const state = seedState(`fleet:${size}`);
  return { state, ask: askDemo({ store: memoryStore(state) }) };
}

test("a million relayers page like any others, and none is held", async () => {
  const { state, ask } = fleet(MILLION);
  const { json } = await ask("GET", "/relayers?page=1000&per_page=1000");
  expect(json?.pagination).toEqual({ current_page: 1000, per_page: 1000, total_items: MILLION });
  expect(json?.data).toHaveLength(1000);
  expect([json?.data.at(0).id, json?.data.at(-1).id]).toEqual(["relayer-0999001", "relayer-1000000"]);
  expect(state.relayers.held()).toEqual([]);
});

test("pages join without a gap and end with a short one", async () => {
  const { ask } = fleet(25);
  const ids: string[] = [];
  for (const page of [1, 2, 3, 4]) {
    const { json } = await ask("GET", `/relayers?page=${page}`);
    ids.push(...json?.data.map((relayer: { id: string }) => relayer.id));
  }
  expect(ids).toHaveLength(25);
  expect(ids).toEqual([...new Set(ids)].sort());
});

test("a relayer is the same in its page, by its id and in another run", async () => {
  const { json } = await fleet(MILLION).ask("GET", "/relayers?page=500000&per_page=1");
  const { json: found } = await fleet(MILLION).ask("GET", "/relayers/relayer-0500000");
  expect(found?.data).toEqual(json?.data[0]);
  expect(found?.data.address).toMatch(/^0x[0-9a-f]{40}$/);
});

test("no two relayers have one address", () => {
  const { state } = fleet(20_000);
  const addresses = state.relayers.page(0, 20_000).map(({ address }) => address);
  expect(new Set(addresses).size).toBe(20_000);
});

test.each(["relayer-0000000", "relayer-1000001", "relayer-5", "relayer-00000005", "relayer-000000x", "elayer-0000005"])(
  "there is no %s in a million",
  async (id) => {
    expect((await fleet(MILLION).ask("GET", `/relayers/${id}`)).status).toBe(404);
  },
);

test("holds what was changed and nothing else, where it stands", async () => {
  const { state, ask } = fleet(MILLION);
  const { status } = await ask("PATCH", "/relayers/relayer-0000002", { name: "Second", notification_id: "audit-log" });
  expect(status).toBe(200);
  const { json } = await ask("GET", "/relayers?per_page=3");
  expect(json?.data.map((relayer: { name: string }) => relayer.name)).toEqual(["Relayer 1", "Second", "Relayer 3"]);
  expect(json?.pagination).toMatchObject({ total_items: MILLION });
  expect(state.relayers.held()).toHaveLength(1);
  expect(stateToText(state).length).toBeLessThan(3000);
});
