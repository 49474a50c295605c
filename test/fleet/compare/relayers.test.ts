import { type JsonObject, type JsonValue, NumberLiteral } from "../../../src/contract/json.ts";
import { type FieldTable, requestFields, sentFields } from "../../../src/contract/resources/field.ts";
import { networkFields } from "../../../src/contract/resources/network.ts";
import { notificationFields } from "../../../src/contract/resources/notification.ts";
import { pluginFields } from "../../../src/contract/resources/plugin.ts";
import { relayerFields } from "../../../src/contract/resources/relayer.ts";
import { creationBody } from "../../../src/fleet/compare/compare-fleets.ts";
import type { FleetNoun } from "../../../src/fleet/desired-fleet.ts";
import { exportedResource } from "../../../src/fleet/export/resource.ts";
import { hiddenUrl } from "../../../src/fleet/hidden.ts";
import type { KnownSecrets } from "../../../src/fleet/known-secrets.ts";
import { compared, desiredFleet } from "../../helpers/fleet.ts";

const LIVE = {
  name: "Main",
  network: "sepolia",
  network_type: "evm",
  paused: false,
  signer_id: "kms-1",
  address: "0x1111111111111111111111111111111111111111",
  system_disabled: false,
};
const DESIRED = { name: "Main", network: "sepolia", network_type: "evm", paused: false, signer_id: "kms-1" };
const SOLANA = { network_type: "solana", network: "devnet" };
const STELLAR = { network_type: "stellar", network: "testnet" };

async function planned(desired: JsonObject, live: JsonObject) {
  const { plan } = await compared(
    { relayers: { r1: { ...DESIRED, ...desired } } },
    { relayers: { r1: { ...LIVE, ...live } }, notifications: { n1: {} } },
  );
  return plan;
}

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const SAME: readonly [what: string, desired: JsonObject, live: JsonObject][] = [
  ["nothing set", {}, {}],
  ["nulls", { policies: { gas_price_cap: null } }, { notification_id: null, custom_rpc_urls: null, policies: null }],
  ["EVM defaults that the service returns", {}, { policies: { min_balance: 1, gas_limit_estimation: true } }],
  ["EVM defaults that the file has", { policies: { eip1559_pricing: true, private_transactions: false } }, {}],
  ["an amount in another spelling", { policies: { gas_price_cap: 5 } }, { policies: { gas_price_cap: "0x5" } }],
  [
    "an amount with a point",
    { policies: { gas_price_cap: 5 } },
    { policies: { gas_price_cap: new NumberLiteral("5.0") } },
  ],
  [
    "the largest amount",
    { policies: { gas_price_cap: 2n ** 128n - 1n } },
    { policies: { gas_price_cap: String(2n ** 128n - 1n) } },
  ],
  [
    "receivers in another order and case",
    { policies: { whitelist_receivers: ["0xAb", "0xcd", "0xCD"] } },
    { policies: { whitelist_receivers: ["0xCD", "0xab"] } },
  ],
  ["an empty list of RPC URLs", { custom_rpc_urls: [] }, {}],
  [
    "RPC URLs in another order, with the default weight",
    { custom_rpc_urls: [{ url: "https://a" }, { url: "https://b", weight: 1 }] },
    {
      custom_rpc_urls: [
        { url: "https://b", weight: 1 },
        { url: "https://a", weight: 100 },
      ],
    },
  ],
  ["Solana defaults", SOLANA, { ...SOLANA, policies: { min_balance: 10_000_000, max_tx_data_size: 1232 } }],
  ["Solana's strategy", { ...SOLANA, policies: { fee_payment_strategy: "user" } }, { ...SOLANA, policies: {} }],
  ["rejected accounts that are empty", SOLANA, { ...SOLANA, policies: { disallowed_accounts: [] } }],
  [
    "tokens in another order, filled in by the service",
    { ...SOLANA, policies: { allowed_tokens: [{ mint: "b" }, { mint: USDC, max_allowed_fee: 1 }] } },
    {
      ...SOLANA,
      policies: {
        allowed_tokens: [
          { mint: USDC, decimals: 6, symbol: "USDC", max_allowed_fee: 1, swap_config: { min_amount: null } },
          { mint: "b", decimals: 9, symbol: null },
        ],
      },
    },
  ],
  [
    "nested objects without values",
    { ...SOLANA, policies: { swap_config: {} } },
    { ...SOLANA, policies: { swap_config: { strategy: null, jupiter_swap_options: { priority_level: null } } } },
  ],
  [
    "decimals in the precision of the service",
    { ...STELLAR, policies: { fee_payment_strategy: "user", slippage_percentage: new NumberLiteral("0.10") } },
    {
      ...STELLAR,
      policies: { fee_payment_strategy: "user", slippage_percentage: new NumberLiteral("0.10000000149011612") },
    },
  ],
  [
    "the native asset by other names",
    { ...STELLAR, policies: { fee_payment_strategy: "user", allowed_tokens: [{ asset: "XLM" }] } },
    {
      ...STELLAR,
      policies: { fee_payment_strategy: "user", min_balance: 1_000_000, allowed_tokens: [{ asset: "native" }] },
    },
  ],
];

test.each(SAME)("finds no difference: %s", async (_, desired, live) => {
  expect(await planned(desired, live)).toMatchObject({
    changes: [],
    cannot: [],
    not_compared: [],
    outside: [],
    same: 1,
  });
});

test("says of unknown policies and members of the service that they are not compared", async () => {
  const live = { later: 1, policies: { max_speed: 3, nested: { a: [1] } } };
  const reason = "unknown to relayctl 0.1";
  expect(await planned({}, live)).toMatchObject({
    ...{ changes: [], cannot: [], outside: [], same: 1 },
    not_compared: ["later", "policies.max_speed", "policies.nested"].map((path) => ({ path, reason })),
  });
});

const URLS = { custom_rpc_urls: [{ url: "https://a" }] };

const DIFFERENT: readonly [what: string, desired: JsonObject, live: JsonObject, body: JsonObject, paths: string[]][] = [
  ["a name", { name: "Größe" }, {}, { name: "Größe" }, ["name"]],
  ["paused", { paused: true }, {}, { paused: true }, ["paused"]],
  ["a notification", { notification_id: "n1" }, {}, { notification_id: "n1" }, ["notification_id"]],
  [
    "a notification that the file does not set",
    {},
    { notification_id: "n1" },
    { notification_id: null },
    ["notification_id"],
  ],
  ["RPC URLs that the file does not set", {}, URLS, { custom_rpc_urls: null }, ["custom_rpc_urls"]],
  [
    "RPC URLs of another weight",
    { custom_rpc_urls: [{ url: "https://a", weight: 0 }] },
    URLS,
    { custom_rpc_urls: [{ url: "https://a", weight: 0 }] },
    ["custom_rpc_urls"],
  ],
  [
    "a policy that the file does not set",
    {},
    { policies: { min_balance: 5 } },
    { policies: { min_balance: null } },
    ["policies.min_balance"],
  ],
  [
    "an explicit default",
    { policies: { min_balance: 1 } },
    { policies: { min_balance: 5 } },
    { policies: { min_balance: 1 } },
    ["policies.min_balance"],
  ],
  [
    "no receivers",
    { policies: { whitelist_receivers: [] } },
    {},
    { policies: { whitelist_receivers: [] } },
    ["policies.whitelist_receivers"],
  ],
  [
    "the order of swaps",
    { ...STELLAR, policies: { fee_payment_strategy: "user", swap_config: { strategies: ["soroswap", "order-book"] } } },
    { ...STELLAR, policies: { fee_payment_strategy: "user", swap_config: { strategies: ["order-book", "soroswap"] } } },
    { policies: { swap_config: { strategies: ["soroswap", "order-book"] } } },
    ["policies.swap_config.strategies"],
  ],
  [
    "one nested policy",
    { ...SOLANA, policies: { swap_config: { strategy: "noop", cron_schedule: "0 0 * * * *" } } },
    {
      ...SOLANA,
      policies: { swap_config: { strategy: "noop", cron_schedule: "0 1 * * * *", min_balance_threshold: 3 } },
    },
    { policies: { swap_config: { cron_schedule: "0 0 * * * *", min_balance_threshold: null } } },
    ["policies.swap_config.cron_schedule", "policies.swap_config.min_balance_threshold"],
  ],
  [
    "nested policies that the file does not have at all",
    { ...SOLANA, policies: {} },
    {
      ...SOLANA,
      policies: { swap_config: { strategy: "noop", jupiter_swap_options: { dynamic_compute_unit_limit: false } } },
    },
    { policies: { swap_config: null } },
    ["policies.swap_config.strategy", "policies.swap_config.jupiter_swap_options.dynamic_compute_unit_limit"],
  ],
  [
    "nested policies next to one that only a newer version knows",
    { ...SOLANA, policies: {} },
    { ...SOLANA, policies: { swap_config: { strategy: "noop", later: 1 } } },
    { policies: { swap_config: { strategy: null } } },
    ["policies.swap_config.strategy"],
  ],
  [
    "a token, without what the service filled in for the other",
    { ...SOLANA, policies: { allowed_tokens: [{ mint: USDC }, { mint: "b" }] } },
    { ...SOLANA, policies: { allowed_tokens: [{ mint: USDC, decimals: 6, symbol: "USDC" }] } },
    { policies: { allowed_tokens: [{ mint: USDC, decimals: 6, symbol: "USDC" }, { mint: "b" }] } },
    ["policies.allowed_tokens"],
  ],
  [
    "a policy of an unknown kind",
    { network_type: "tron", policies: { energy: 2 } },
    { network_type: "tron", policies: { energy: 1, other: 1 } },
    { policies: { energy: 2 } },
    ["policies.energy"],
  ],
];

test.each(DIFFERENT)("plans the smallest patch for %s", async (_, desired, live, body, paths) => {
  const { changes, cannot, same } = await planned(desired, live);
  expect(changes).toMatchObject([{ noun: "relayers", id: "r1", action: "update", at: "config.json:12:5", body }]);
  expect(Object.keys(changes[0]?.body ?? {})).toEqual(Object.keys(body));
  expect(changes[0]?.members.map(({ path }) => path)).toEqual(paths);
  expect({ cannot, same }).toEqual({ cannot: [], same: 0 });
});

test("keeps unset, explicit, and default values apart", async () => {
  const { changes } = await planned({ policies: { gas_price_cap: 9 } }, { policies: { min_balance: 5 } });
  expect(changes[0]?.members).toEqual([
    { path: "policies.gas_price_cap", before: null, after: 9, at: "config.json:12:5" },
    { path: "policies.min_balance", before: 5, after: null, default: 1n, at: "config.json:12:5" },
  ]);
});

test.each([
  ["network", "mainnet", 0],
  ["network_type", "solana", 0],
  ["signer_id", "kms-2", 1],
])("cannot change %s, and does not try", async (member, value, others) => {
  const { changes, cannot } = await planned({ [member]: value, paused: true }, {});
  expect(cannot).toMatchObject([{ path: member, after: value, reason: expect.stringContaining("delete and create") }]);
  expect(changes.map(({ body }) => body)).toEqual(Array.from({ length: others }, () => ({ paused: true })));
});

const ODD: readonly (readonly [string, JsonValue])[] = [
  ["policies", "text"],
  ["policies", [1]],
  ["policies", { gas_price_cap: true, min_balance: "much", whitelist_receivers: { a: 1 }, eip1559_pricing: "yes" }],
  ["policies", { whitelist_receivers: [1, null] }],
  ["custom_rpc_urls", "https://a"],
  ["custom_rpc_urls", [1, null, { weight: 3 }]],
  ["paused", null],
  ["paused", "yes"],
  ["name", { en: "Main" }],
  ["notification_id", 7],
  ["network", 7],
  ["disabled_reason", [[]]],
];

test.each(ODD)("concludes nothing from an odd %s of the service: %j", async (member, value) => {
  expect((await planned({}, { [member]: value })).changes).toEqual([]);
});

test("compares no more of a relayer of v1.0 than that returns", async () => {
  const { signer_id: _, ...v1 } = LIVE;
  const { plan } = await compared(
    { relayers: { r1: { ...DESIRED, paused: true, notification_id: "n1", custom_rpc_urls: [{ url: "https://a" }] } } },
    { relayers: { r1: v1 } },
  );
  expect(plan.changes).toMatchObject([{ body: { paused: true } }]);
  expect(plan.not_compared.map(({ path }) => path)).toEqual(["custom_rpc_urls", "notification_id", "signer_id"]);
});

test("says that a relayer is disabled, and what a change does", async () => {
  const live = { system_disabled: true, policies: { gas_price_cap: 5_000_000_000n, whitelist_receivers: ["0xab"] } };
  const { changes } = await planned({ policies: { gas_price_cap: 5 } }, live);
  expect(changes).toMatchObject([
    {
      disabled: true,
      consent: "id",
      effects: [
        "gas_price_cap falls to a thousandth or less: 5 gwei → 0.000000005 gwei",
        "whitelist_receivers is unset: this relayer may send to any address",
      ],
    },
  ]);
  const capAlone = await planned({ policies: { gas_price_cap: 5 } }, { policies: { gas_price_cap: 5_000_000_000n } });
  expect(capAlone.changes).toMatchObject([{ consent: "yes" }]);
});

const RELAYER = { name: "Main", network: "sepolia", network_type: "evm", paused: false, signer_id: "kms-1" };

/** A URL, or one with its weight. */
type Typed = string | readonly [url: string, weight: number];

function list(urls: readonly Typed[]) {
  return urls.map((url) => (typeof url === "string" ? { url } : { url: url[0], weight: url[1] }));
}

/** Knows these entries as those that were last applied; nothing is known without them. */
function knows(entries: readonly string[] | undefined): KnownSecrets {
  return { lastApplied: async () => entries && (async (secret) => entries.includes(secret)) };
}

const [A, B, OTHER] = [
  "https://a.example.org/key-canary",
  "https://a.example.org/second-canary",
  "https://b.example.org/k-canary",
];
const MASKED = "https://a.example.org/***";
const [HIDDEN_1, HIDDEN_2] = [hiddenUrl(A, 1), hiddenUrl(A, 2)];

type Outcome = "same" | "change" | "not compared" | "cannot";

const CASES: readonly (readonly [
  string,
  readonly Typed[],
  readonly Typed[],
  readonly string[] | undefined,
  Outcome,
])[] = [
  ["nothing is known", [A], [MASKED], undefined, "not compared"],
  ["it was applied", [A], [MASKED], [A], "same"],
  ["another one was applied", [A], [MASKED], [B], "change"],
  ["another host", [A], ["https://b.example.org/***"], undefined, "change"],
  ["another number of URLs", [A], [MASKED, MASKED], [A], "change"],
  ["another weight", [[A, 7]], [MASKED], [A], "change"],
  ["another weight was applied", [[A, 7]], [[MASKED, 7]], [A], "change"],
  ["it was applied with its weight", [[A, 7]], [[MASKED, 7]], [`${A},weight=7`], "same"],
  ["the service does not mask it", [A], [A], undefined, "same"],
  ["the service does not mask another one", [A], [B], undefined, "change"],
  ["a URL without a path", ["https://a.example.org"], ["https://a.example.org"], undefined, "same"],
  ["a query", ["https://a.example.org?key=canary"], ["https://a.example.org?***"], undefined, "not compared"],
  ["the same in another order", [A, OTHER], ["https://b.example.org/***", MASKED], [A, OTHER], "same"],
  ["the file leaves it out", [HIDDEN_1], [MASKED], undefined, "not compared"],
  ["the file leaves out two of a host", [HIDDEN_1, HIDDEN_2], [MASKED, MASKED], undefined, "not compared"],
  ["the file leaves out one of two", [HIDDEN_1, B], [MASKED, MASKED], [A, B], "not compared"],
  [
    "the file leaves out one of two, and has a new one",
    [HIDDEN_1, OTHER],
    [MASKED, "https://b.example.org/***"],
    [A, B],
    "cannot",
  ],
  ["the file leaves out one of another host", [hiddenUrl(OTHER, 1)], [MASKED], undefined, "cannot"],
  ["the file leaves out one, and the service has none", [HIDDEN_1], [], undefined, "cannot"],
  ["two equal URLs in the file", [A, A], [MASKED, MASKED], [A], "not compared"],
  ["two equal URLs on both sides", [A, A], [A], undefined, "same"],
];

test.each(CASES)("compares RPC URLs: %s", async (_, desired, live, applied, outcome) => {
  const { plan } = await compared(
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list(desired) } } },
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list(live) } } },
    { known: knows(applied) },
  );
  const { changes, cannot, not_compared, same } = plan;
  const found =
    changes.length > 0 ? "change" : cannot.length > 0 ? "cannot" : not_compared.length > 0 ? "not compared" : "same";
  expect(found).toBe(outcome);
  expect(same).toBe(outcome === "same" || outcome === "not compared" ? 1 : 0);
  expect(JSON.stringify(changes)).not.toContain("canary");
});

test.each<[string, readonly Typed[], Outcome]>([
  ["sends it on request", [A], "change"],
  ["sends nothing that the file leaves out", [HIDDEN_1], "not compared"],
])("a list that cannot be compared: %s", async (_, desired, outcome) => {
  const { plan, secrets } = await compared(
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list(desired) } } },
    { relayers: { r: { ...RELAYER, custom_rpc_urls: list([MASKED]) } } },
    { sendHidden: true },
  );
  expect([plan.changes.length, plan.not_compared.length]).toEqual(outcome === "change" ? [1, 0] : [0, 1]);
  expect([...secrets.values()]).toEqual(outcome === "change" ? [A] : []);
});

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
