import { type KeptText, stateTextStore, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo } from "../ask.ts";

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
