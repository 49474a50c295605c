import { stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo } from "../ask.ts";

const MILLION = 1_000_000;

function fleet(size: number) {
  const state = seedState(`fleet:${size}`);
  return { state, ask: askDemo({ store: memoryStore(state) }) };
}

test("pages through a million relayers without storing any", async () => {
  const { state, ask } = fleet(MILLION);
  const { json, items } = await ask("GET", "/relayers?page=1000&per_page=1000");
  expect(json?.pagination).toEqual({ current_page: 1000, per_page: 1000, total_items: MILLION });
  expect(items).toHaveLength(1000);
  expect([items.at(0)?.id, items.at(-1)?.id]).toEqual(["relayer-0999001", "relayer-1000000"]);
  expect(state.relayers.held()).toEqual([]);
});

test("pages have no gaps and end with a short page", async () => {
  const { ask } = fleet(25);
  const pages = await Promise.all([1, 2, 3, 4].map((page) => ask("GET", `/relayers?page=${page}`)));
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  expect(ids).toHaveLength(25);
  expect(ids).toEqual([...new Set(ids)].sort());
});

test("a relayer is the same in its page, by its ID, and in another run", async () => {
  const { items } = await fleet(MILLION).ask("GET", "/relayers?page=500000&per_page=1");
  const { data } = await fleet(MILLION).ask("GET", "/relayers/relayer-0500000");
  expect([data]).toEqual(items);
  expect(data.address).toMatch(/^0x[0-9a-f]{40}$/);
});

test("no two relayers have the same address", () => {
  const { state } = fleet(20_000);
  const addresses = state.relayers.page(0, 20_000).map(({ address }) => address);
  expect(new Set(addresses).size).toBe(20_000);
});

test.each(["relayer-0000000", "relayer-1000001", "relayer-5", "relayer-00000005", "relayer-000000x", "elayer-0000005"])(
  "%s does not exist in a fleet of a million",
  async (id) => expect((await fleet(MILLION).ask("GET", `/relayers/${id}`)).status).toBe(404),
);

test("stores only changed relayers, in their place", async () => {
  const { state, ask } = fleet(MILLION);
  const { status } = await ask("PATCH", "/relayers/relayer-0000002", { name: "Second", notification_id: "audit-log" });
  expect(status).toBe(200);
  const { json, items } = await ask("GET", "/relayers?per_page=3");
  expect(items.map(({ name }) => name)).toEqual(["Relayer 1", "Second", "Relayer 3"]);
  expect(json?.pagination).toMatchObject({ total_items: MILLION });
  expect(state.relayers.held()).toHaveLength(1);
  expect(stateToText(state).length).toBeLessThan(7000);
});
