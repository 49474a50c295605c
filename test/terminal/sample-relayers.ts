import { type JsonObject, parseJson } from "../../src/contract/json.ts";
import { flatPathValue } from "../../src/terminal/select/path.ts";
import type { Page, ResourceView, View } from "../../src/terminal/view.ts";

/** A kind of resource as a command would describe it, small enough to read in a test. */
export const relayerView: ResourceView = {
  one: "relayer",
  many: "relayers",
  table: [
    { header: "id", cell: (item) => ({ text: flatPathValue(item, "id") }), whole: true },
    { header: "name", cell: (item) => ({ text: flatPathValue(item, "name") }), most: 20 },
    { header: "state", cell: (item) => (item.paused === true ? { text: "paused", tone: "warn" } : { text: "active" }) },
    { header: "cap", cell: (item) => ({ text: flatPathValue(item, "policies.gas_price_cap") }), align: "right" },
    { header: "address", cell: (item) => ({ text: flatPathValue(item, "address") }), whole: true },
  ],
  flat: ["id", "name", "paused", "policies.gas_price_cap", "address"],
  fields: ["id", "name", "network", "paused", "address", "notification_id", "custom_rpc_urls", "policies"].concat([
    "policies.gas_price_cap",
    "policies.min_balance",
    "policies.whitelist_receivers",
    "disabled_reason",
    "disabled_reason.type",
  ]),
  block: (item) => [
    { label: "id", value: { text: flatPathValue(item, "id") } },
    { label: "name", value: { text: flatPathValue(item, "name") } },
  ],
  attention: (items) => {
    const paused = items.filter((item) => item.paused === true).length;
    return paused > 0 ? `${paused} need attention: relayctl relayers status` : undefined;
  },
};

/** A relayer as it is read from the wire. */
export function relayer(json: string): JsonObject {
  return parseJson(json) as JsonObject;
}

export const MAX_U128 = "340282366920938463463374607431768211455";

export const eth1 = relayer(
  `{"id":"eth-main-1","name":"Mainnet 1","network":"mainnet","paused":false,"address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    "custom_rpc_urls":[{"url":"https://rpc.example.org/key-123","weight":80}],"policies":{"gas_price_cap":${MAX_U128},"min_balance":1}}`,
);
export const eth2 = relayer(
  `{"id":"eth-main-2","name":"Mainnet 2","network":"mainnet","paused":true,"address":"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    "policies":{"gas_price_cap":80000000000}}`,
);
export const base = relayer(
  `{"id":"base-hot","name":"Base hot","network":"base","paused":false,"address":"0x8ba1f109551bd432803012645ac136ddd64dba72","policies":{}}`,
);

export function page(items: readonly JsonObject[], total: number | undefined = items.length): Page {
  return { items, total, body: new TextEncoder().encode("{}") };
}

/** A list that counts how many of its pages were asked for, and may break after them. */
export function listOf(
  pages: readonly Page[],
  failure?: Error,
): { view: Extract<View, { kind: "list" }>; pulled: () => number } {
  let pulled = 0;
  async function* walk(): AsyncGenerator<Page> {
    for (const each of pages) {
      pulled++;
      yield each;
    }
    if (failure) throw failure;
  }
  return { view: { kind: "list", resource: relayerView, pages: walk(), where: "demo" }, pulled: () => pulled };
}
