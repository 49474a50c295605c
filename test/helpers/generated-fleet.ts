import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/contract/json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../src/contract/network-kind.ts";
import { type ListField, type PolicyField, type PolicyFields, policyFields } from "../../src/contract/policy.ts";
import type { Lists } from "./fleet.ts";

/** Every secret contains it: no plan may. */
export const CANARY = "canary";

/** Texts of 32 bytes without small letters. */
const base58 = fc
  .string({ unit: fc.constantFrom(..."123456789ABCDEFGHJKLMNPQRSTUVWXYZ"), minLength: 42, maxLength: 42 })
  .map((text) => `A${text}`);
const evmAddress = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 40, maxLength: 40 });
const asset = fc.constantFrom(
  "native",
  "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE",
  "USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN",
);

function integerUpTo(most: bigint, least = 0n): fc.Arbitrary<JsonValue> {
  const special = fc.constantFrom(least, most);
  return fc.oneof(special, fc.bigInt(least, most), fc.bigInt(least, 100n < most ? 100n : most)).map(asJson);
}

function asJson(amount: bigint): JsonValue {
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : amount;
}

/** A value that a file can have in a field. @param key the field of an entry that identifies it */
function fieldValue(name: string, field: PolicyField): fc.Arbitrary<JsonValue> {
  switch (field.type) {
    case "amount":
      return integerUpTo(field.most, field.least);
    case "integer":
      return integerUpTo(field.most);
    case "flag":
      return fc.boolean();
    case "decimal":
      return fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10);
    case "word":
      return fc.constantFrom(
        ...(field.words ?? [field.form?.example ?? "", name === "symbol" ? "Größe" : "0 30 * * * *"]),
      );
    case "list":
      return listValue(field);
    case "object":
      return name === "jupiter_swap_options"
        ? members(field.fields, Object.keys(field.fields))
        : members(field.fields, []).map(withStrategy);
    case "json":
      return fc.constantFrom(JSON.parse(field.example) as JsonValue, { kind: "native", decimals: 6 });
  }
}

/** The service accepts options of Jupiter only for its strategy. */
function withStrategy(value: JsonObject): JsonObject {
  return Object.hasOwn(value, "jupiter_swap_options") ? { ...value, strategy: "jupiter-swap" } : value;
}

function listValue({ words, entry, addresses }: ListField): fc.Arbitrary<JsonValue> {
  if (words) return fc.shuffledSubarray([...words], { minLength: 1 });
  if (!entry)
    return fc.uniqueArray(addresses === "evm" ? evmAddress.map((hex) => `0x${hex}`) : base58, { maxLength: 4 });
  const key = entry.key === "asset" ? asset : base58;
  const item = fc.tuple(key, members(entry.fields, [])).map(([id, rest]): JsonObject => ({ ...rest, [entry.key]: id }));
  return fc.uniqueArray(item, { maxLength: 3, selector: (one) => one[entry.key] });
}

function members(fields: PolicyFields, required: readonly string[]): fc.Arbitrary<JsonObject> {
  const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldValue(name, field)]));
  const needed = Object.hasOwn(fields, "strategies") ? ["strategies"] : required;
  return fc.record(values, { requiredKeys: [...needed] }).map((value) => ({ ...value }));
}

const policiesOf: Record<NetworkKind, fc.Arbitrary<JsonObject>> = {
  evm: members(policyFields.evm, []),
  solana: members(policyFields.solana, []),
  stellar: members(policyFields.stellar, ["fee_payment_strategy"]),
};

const secret = fc
  .string({ unit: fc.constantFrom(..."abcdef0123456789"), minLength: 20, maxLength: 20 })
  .map((text) => `${CANARY}-${text}-long-enough`);
const host = fc.constantFrom("https://a.example.org", "https://b.example.org");
const url = fc.oneof(
  host,
  fc.tuple(host, secret).map(([origin, key]) => `${origin}/v3/${key}`),
);
const rpcUrls = fc.uniqueArray(
  fc
    .record({ url, weight: fc.integer({ min: 0, max: 100 }) }, { requiredKeys: ["url"] })
    .map((entry): JsonObject => ({ ...entry })),
  { maxLength: 3, selector: (entry) => `${entry.url} ${entry.weight ?? 100}` },
);

/** What never changes of the relayers of a generated fleet, by ID. */
const RELAYERS = NETWORK_KINDS.flatMap((kind) => [1, 2].map((number) => ({ kind, id: `${kind}-${number}` })));
const NOTIFICATIONS = ["hook-1", "hook-2"];

function relayer(kind: NetworkKind, id: string): fc.Arbitrary<JsonObject> {
  const own = {
    name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
    paused: fc.boolean(),
    notification_id: fc.constantFrom(...NOTIFICATIONS),
    custom_rpc_urls: rpcUrls,
    policies: policiesOf[kind],
  };
  const required: (keyof typeof own)[] = ["name", "paused", ...(kind === "stellar" ? (["policies"] as const) : [])];
  return fc
    .record(own, { requiredKeys: required })
    .map(
      (fields) => ({ ...fields, network: `${kind}net`, network_type: kind, signer_id: `signer-${id}` }) as JsonObject,
    );
}

const notification = fc
  .record(
    { url: fc.constantFrom("https://hooks.example.org/1", "https://hooks.example.org/2"), signing_key: secret },
    { requiredKeys: ["url"] },
  )
  .map((fields): JsonObject => ({ type: "webhook", ...fields }));

const network = rpcUrls
  .filter((urls) => urls.length > 0)
  .map((urls): JsonObject => ({ name: "evmnet", network_type: "evm", rpc_urls: urls, tags: ["a", "b"] }));

function each(
  ids: readonly string[],
  one: (id: string) => fc.Arbitrary<JsonObject>,
): fc.Arbitrary<Record<string, JsonObject>> {
  return fc.record(Object.fromEntries(ids.map((id) => [id, one(id)])));
}

/** Fleets of all kinds with the same IDs and signers, as files describe them. */
export const generatedFleet: fc.Arbitrary<Required<Pick<Lists, "relayers" | "notifications" | "networks">>> = fc.record(
  {
    relayers: each(
      RELAYERS.map(({ id }) => id),
      (id) => relayer(RELAYERS.find((one) => one.id === id)?.kind ?? "evm", id),
    ),
    notifications: each(NOTIFICATIONS, () => notification),
    networks: each(["evm:evmnet"], () => network),
  },
);
