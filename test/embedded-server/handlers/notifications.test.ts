import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo, UUID } from "../ask.ts";

const URL = "https://hooks.example.org/new";
const KEY = "n".repeat(40);

test("lists notifications in the format of the interface, without keys", async () => {
  const { status, json, text, items } = await askDemo()("GET", "/notifications?page=1&per_page=2");
  expect(status).toBe(200);
  expect(items).toEqual([
    { id: "audit-log", type: "webhook", url: "https://audit.example.org/relayer-events", has_signing_key: false },
    { id: "ops-hook", type: "webhook", url: "https://hooks.example.org/relayers/ops", has_signing_key: true },
  ]);
  expect(json?.pagination).toEqual({ current_page: 1, per_page: 2, total_items: 3 });
  expect(text).not.toContain("demo-signing-key");
});

test.each(["?page=-1", "?per_page=1.5", "?page=x"])("rejects the page parameters %s", async (query) => {
  expect((await askDemo()("GET", `/notifications${query}`)).status).toBe(400);
});

test("returns a notification by its ID", async () => {
  const ask = askDemo();
  const found = await ask("GET", "/notifications/ops-hook");
  expect(found.data).toEqual({
    id: "ops-hook",
    type: "webhook",
    url: "https://hooks.example.org/relayers/ops",
    has_signing_key: true,
  });
});

test("creates a notification with the given ID", async () => {
  const ask = askDemo();
  const body = { id: "pager", type: "webhook", url: URL, signing_key: KEY };
  const { status, json, text } = await ask("POST", "/notifications", body);
  expect(status).toBe(201);
  expect(json).toEqual({
    success: true,
    data: { id: "pager", type: "webhook", url: URL, has_signing_key: true },
    error: "",
    metadata: { logs: [], traces: [] },
  });
  expect(text).not.toContain(KEY);
  expect((await ask("GET", "/notifications")).items).toHaveLength(4);
});

test("generates a UUID if there is no ID", async () => {
  const { status, data } = await askDemo()("POST", "/notifications", { url: URL });
  expect(status).toBe(201);
  expect(data).toEqual({ id: UUID, type: "webhook", url: URL, has_signing_key: false });
});

test("leaves a notification unchanged if another is created with the same ID", async () => {
  const ask = askDemo();
  expect((await ask("POST", "/notifications", { id: "ops-hook", url: URL })).status).toBe(409);
  expect((await ask("GET", "/notifications/ops-hook")).data.url).toBe("https://hooks.example.org/relayers/ops");
});

test.each([{}, { url: null }, { url: URL, id: null }, { url: URL, signing_key: null }, { url: URL, signing_key: 7 }])(
  "refuses to create %j",
  async (body) => {
    const { status, json } = await askDemo()("POST", "/notifications", body);
    expect([status, json?.message]).toEqual([400, "Bad Request"]);
  },
);

// interface 4.6, the three rules; null counts as absent (facts 6).
test.each([
  ["no key", "audit-log", {}, undefined, false],
  ["no key, with a key set before", "ops-hook", {}, "demo-signing-key-of-the-ops-hook-0001", true],
  ["null", "ops-hook", { signing_key: null }, "demo-signing-key-of-the-ops-hook-0001", true],
  ["an empty string", "ops-hook", { signing_key: "" }, "", false],
  ["a string", "ops-hook", { signing_key: KEY }, KEY, true],
  ["a string, with no key set before", "audit-log", { signing_key: KEY }, KEY, true],
])("a patch with a signing key of %s", async (_, id, patch, kept, has) => {
  const state = seedState("demo");
  const ask = askDemo({ store: memoryStore(state) });
  const { status, data } = await ask("PATCH", `/notifications/${id}`, patch);
  expect(status).toBe(200);
  expect(data.has_signing_key).toBe(has);
  expect(state.notifications.get(id)?.signing_key).toBe(kept);
});

test("changes the URL and keeps the rest", async () => {
  const { data } = await askDemo()("PATCH", "/notifications/ops-hook", { url: URL, type: "webhook" });
  expect(data).toEqual({ id: "ops-hook", type: "webhook", url: URL, has_signing_key: true });
});

test.each([{ url: null }, { id: "other" }, { signing_key: 7 }])("refuses to update with %j", async (body) => {
  const { status, json } = await askDemo()("PATCH", "/notifications/ops-hook", body);
  expect([status, json?.message]).toEqual([400, "Bad Request"]);
});
