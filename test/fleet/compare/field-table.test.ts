import type { JsonObject, JsonValue } from "../../../src/contract/json.ts";
import { type FieldTable, requestFields, sentFields } from "../../../src/contract/resources/field.ts";
import { networkFields } from "../../../src/contract/resources/network.ts";
import { notificationFields } from "../../../src/contract/resources/notification.ts";
import { pluginFields } from "../../../src/contract/resources/plugin.ts";
import { relayerFields } from "../../../src/contract/resources/relayer.ts";
import { creationBody } from "../../../src/fleet/compare/compare-fleets.ts";
import type { FleetNoun } from "../../../src/fleet/desired.ts";
import { exportedResource } from "../../../src/fleet/export/resource.ts";
import { compared, desiredFleet } from "../../helpers/fleet.ts";

/** Two values of each form. */
const VALUES: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  text: ["one", "other"],
  id: ["one", "other"],
  "new id": ["one", "other"],
  word: ["one", "other"],
  flag: [false, true],
  "rpc urls": [[{ url: "https://one.example.org" }], [{ url: "https://other.example.org" }]],
  policies: [{ min_balance: 1 }, { min_balance: 2 }],
  "any text": ["one", "other"],
  url: ["https://one.example.org", "https://other.example.org"],
  seconds: [7, 8],
  object: [{ a: 1 }, { a: 2 }],
};

const TABLES: readonly (readonly [FleetNoun, FieldTable])[] = [
  ["relayers", relayerFields],
  ["notifications", notificationFields],
  ["plugins", pluginFields],
];

const cases = TABLES.flatMap(([noun, table]) =>
  requestFields(table)
    .filter((name) => name !== "id")
    .map((name) => {
      const forms = new Map([...sentFields(table, "create"), ...sentFields(table, "update")]);
      return { noun, table, name, values: VALUES[forms.get(name)?.form ?? ""] ?? ["one", "other"] };
    }),
);

/** A resource with the first, or for one field the second value of each. */
function resourceOf(table: FieldTable, second = ""): JsonObject {
  const all = [...sentFields(table, "create"), ...sentFields(table, "update")];
  const members = all.map(([name, { form }]) => [name, VALUES[form]?.[name === second ? 1 : 0] ?? null] as const);
  return { ...Object.fromEntries(members), id: "r", ...("network_type" in table && { network_type: "evm" }) };
}

test.each(cases)("$noun: a changed $name changes the plan, or is named in it", async ({ noun, table, name }) => {
  const live = { ...resourceOf(table), has_signing_key: false, raw_response: false };
  const changed: JsonObject = {
    ...resourceOf(table, name),
    ...(name === "network_type" && { network_type: "solana", policies: {} }),
  };
  const { signing_key: _, ...file } = changed;
  const lists = { signers: {}, notifications: {}, [noun]: { r: name === "signing_key" ? changed : file } };
  const found = {
    [noun]: { r: live },
    signers: { one: {}, other: {} },
    notifications: { one: {}, other: {}, ...(noun === "notifications" && { r: live }) },
  };
  const { plan } = await compared(noun === "notifications" ? { notifications: lists.notifications } : lists, found);
  const named = [...plan.changes.flatMap(({ members }) => members), ...plan.cannot, ...plan.outside];
  expect(named.map(({ path }) => path?.split(".")[0])).toContain(name);
});

test.each(cases.filter(({ table, name }) => table[name]?.create))(
  "$noun: $name is sent when the resource is created",
  ({ noun, table, name, values }) => {
    const [resource] = desiredFleet({ [noun]: { r: { ...resourceOf(table), [name]: values[1] } } }).resources;
    expect(resource && creationBody(resource)[name]).toEqual(values[1]);
  },
);

test.each(cases.filter(({ name }) => name !== "signing_key"))("$noun: $name is exported", ({ noun, table, name }) => {
  const options = { notation: "json", showUrls: true, symbolOf: () => undefined, exists: () => true } as const;
  expect(exportedResource(noun, resourceOf(table, name), options)).toHaveProperty(name);
});

test.each(Object.keys(networkFields).filter((name) => !["id", "name", "network_type", "rpc_urls"].includes(name)))(
  "networks: a changed %s is outside of the API",
  async (name) => {
    const network = { id: "evm:x", name: "x", network_type: "evm" };
    const { plan } = await compared(
      { networks: { "evm:x": { ...network, [name]: "other" } } },
      { networks: { "evm:x": { ...network, [name]: "one" } } },
    );
    expect(plan.outside).toMatchObject([{ path: name, before: "one", after: "other" }]);
  },
);
