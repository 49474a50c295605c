import { expect, test } from "vitest";
import { addressProblem } from "../../src/contract/address.ts";
import { isJsonObject } from "../../src/contract/json.ts";
import { isNetworkKind } from "../../src/contract/network-kind.ts";
import { policySchemas } from "../../src/contract/requests.ts";
import { seedState } from "../../src/embedded-server/seed.ts";

const story = seedState("demo");
const relayers = story.relayers.page(0, 100);
const transactions = story.transactions.held();

test.each(relayers.filter((relayer) => relayer.network_type === "evm"))(
  "$id has a valid address, in lower case",
  ({ address }) => {
    expect(address).toBe(String(address).toLowerCase());
    expect(addressProblem(String(address))).toBeUndefined();
  },
);

test("whitelisted addresses have the right checksum", () => {
  const listed = relayers.flatMap(({ policies }) =>
    isJsonObject(policies) ? (policies.whitelist_receivers ?? []) : [],
  );
  const addresses = listed.flat().map(String);
  expect(addresses).toHaveLength(2);
  expect(addresses.map(addressProblem)).toEqual([undefined, undefined]);
});

test.each(relayers)("the policies of $id are ones that could be sent", ({ network_type, policies }) => {
  expect(isNetworkKind(network_type) && policySchemas[network_type].safeParse(policies).success).toBe(true);
});

test.each(relayers)("the notification of $id is there", ({ notification_id }) => {
  expect(notification_id === undefined || story.notifications.get(String(notification_id)) !== undefined).toBe(true);
});

test.each(transactions)("transaction $id belongs to a relayer and is sent from its address", (transaction) => {
  const relayer = story.relayers.get(String(transaction.relayer_id));
  expect(relayer).toBeDefined();
  if (transaction.from) expect(transaction.from).toBe(relayer?.address);
});

test("has something of everything to try", () => {
  const of = (key: string) => relayers.map((relayer) => relayer[key]);
  expect(new Set(of("network_type"))).toEqual(new Set(["evm", "solana", "stellar"]));
  expect(of("paused").filter(Boolean)).toHaveLength(1);
  expect(of("system_disabled").filter(Boolean)).toHaveLength(2);
  expect(new Set(transactions.map(({ status }) => status))).toEqual(new Set(["submitted", "confirmed", "sent"]));
  expect(story.notifications.size()).toBe(3);
});

test("one server's changes are not another's", () => {
  const first = seedState("demo");
  first.relayers.put({ id: "base-hot", name: "changed" });
  expect(seedState("demo").relayers.get("base-hot")?.name).toBe("Base hot");
});

test("the empty seed is empty", () => {
  const state = seedState("empty");
  expect([state.relayers.size(), state.notifications.size(), state.transactions.size()]).toEqual([0, 0, 0]);
});

test.each([
  "",
  "Demo",
  "fleet",
  "fleet:",
  "fleet:0",
  "fleet:01",
  "fleet:-1",
  "fleet:1.5",
  "fleet:10000000",
  "fleet:1e3",
])("there is no seed %j", (seed) => {
  expect(() => seedState(seed)).toThrow("no seed of this name; demo, empty, or fleet:N with N from 1 to 9999999");
});
