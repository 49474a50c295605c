import { whyEarlier } from "../../src/client/earlier-transaction.ts";

const TIME = Date.parse("2026-11-21T03:05:15Z");
const UNREADABLE = { holderOf: async () => undefined, shown: async () => null };

function whyEarlierThan(created_at: string): Promise<string | undefined> {
  return whyEarlier({ data: { id: "tx-1", created_at } }, { time: TIME, took: 100 }, UNREADABLE);
}

test("a response that looks older than its request is in doubt if earlier transactions cannot be read", () =>
  expect(whyEarlierThan("2026-11-21T03:00:00Z")).rejects.toThrow("earlier ones cannot be read"));

test("a response that looks new is believed although earlier transactions cannot be read", async () =>
  expect(await whyEarlierThan("2026-11-21T03:05:14Z")).toBeUndefined());
