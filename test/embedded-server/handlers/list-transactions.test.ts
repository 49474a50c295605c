import { expect, test } from "vitest";
import { askDemo } from "../ask.ts";

const OF_MAIN_1 = "/relayers/eth-main-1/transactions";

async function ids(query: string): Promise<unknown[]> {
  const { items } = await askDemo()("GET", `${OF_MAIN_1}${query}`);
  return items.map(({ status }) => status);
}

test("lists the transactions of one relayer in pages, newest first", async () => {
  const { status, items, json } = await askDemo()("GET", OF_MAIN_1);
  expect(status).toBe(200);
  expect(items.map(({ relayer_id }) => relayer_id)).toEqual(["eth-main-1", "eth-main-1", "eth-main-1"]);
  expect(items.map(({ status }) => status)).toEqual(["submitted", "confirmed", "submitted"]);
  expect(json?.pagination).toEqual({ current_page: 1, per_page: 10, total_items: 3 });
  expect(await ids("?page=2&per_page=1")).toEqual(["confirmed"]);
});

test.each([
  ["?status=confirmed", ["confirmed"]],
  ["?status=SUBMITTED", ["submitted", "submitted"]],
  ["?status=failed", []],
  ["?page=0", []],
  ["?page=0&status=confirmed", ["confirmed"]],
])("%s filters by status, without paging", async (query, expected) => expect(await ids(query)).toEqual(expected));

test.each([
  [`${OF_MAIN_1}?status=done`, 400],
  [`${OF_MAIN_1}?status=`, 400],
  [`${OF_MAIN_1}?status=sent&status=failed`, 400],
  ["/relayers/nope/transactions", 404],
])("%s is refused with %i", async (path, status) => expect((await askDemo()("GET", path)).status).toBe(status));
