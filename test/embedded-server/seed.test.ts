import { addressProblem } from "../../src/contract/address.ts";
import { isJsonObject } from "../../src/contract/json.ts";
import { isNetworkKind } from "../../src/contract/network-kind.ts";
import { policySchemas } from "../../src/contract/requests.ts";
import { seedState } from "../helpers/seed-state.ts";

const story = seedState("demo");
const relayers = story.relayers.page(0, 100);
const transactions = story.transactions.held();

test.each(relayers.filter((relayer) => relayer.network_type === "evm"))(
  "$id has a valid lowercase address",
  ({ address }) => {
    expect(address).toBe(String(address).toLowerCase());
    expect(addressProblem(String(address))).toBeUndefined();
  },
);

test("whitelisted addresses have a valid checksum", () => {
  const listed = relayers.flatMap(({ policies }) =>
    isJsonObject(policies) ? (policies.whitelist_receivers ?? []) : [],
  );
  const addresses = listed.flat().map(String);
  expect(addresses).toHaveLength(2);
  expect(addresses.map(addressProblem)).toEqual([undefined, undefined]);
});

test.each(relayers)("$id has valid policies", ({ network_type, policies }) => {
  expect(isNetworkKind(network_type) && policySchemas[network_type].safeParse(policies).success).toBe(true);
});

test.each(relayers)("$id has an existing notification or none", ({ notification_id }) => {
  expect(notification_id === undefined || story.notifications.get(String(notification_id)) !== undefined).toBe(true);
});

test.each(transactions)(
  "transaction $id belongs to a relayer and is sent from the relayer's address",
  (transaction) => {
    const relayer = story.relayers.get(String(transaction.relayer_id));
    expect(relayer).toBeDefined();
    if (transaction.from) expect(transaction.from).toBe(relayer?.address);
  },
);

test("the demo seed has an example of everything", () => {
  const of = (key: string) => relayers.map((relayer) => relayer[key]);
  expect(new Set(of("network_type"))).toEqual(new Set(["evm", "solana", "stellar"]));
  expect(of("paused").filter(Boolean)).toHaveLength(1);
  expect(of("system_disabled").filter(Boolean)).toHaveLength(2);
  expect(new Set(transactions.map(({ status }) => status))).toEqual(
    new Set(["submitted", "confirmed", "sent", "failed", "pending"]),
  );
  expect(story.notifications.size()).toBe(3);
});

test("servers do not share their changes", () => {
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
])("rejects the seed %j", (seed) => {
  expect(() => seedState(seed)).toThrow("no seed of this name; demo, empty, or fleet:N with N from 1 to 9999999");
});
