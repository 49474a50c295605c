import { type JsonObject, parseJson } from "../../../src/contract/json.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { canonicalJson } from "../../../src/fleet/compare/canonical-json.ts";
import { hiddenText } from "../../../src/fleet/hidden.ts";
import type { KnownSecrets } from "../../../src/fleet/known-secrets.ts";
import { readLiveFor } from "../../../src/fleet/live.ts";
import { compared, liveFleet, reference } from "../../helpers/fleet.ts";
import { fleetOf, problemsOf } from "../fleet-files.ts";

const KEY = "a signing key that is long enough for the service";

/** Knows these values as the ones that were last applied, and no other. */
function knows(...secrets: string[]): KnownSecrets {
  return { lastApplied: async () => async (secret) => secrets.includes(secret) };
}

const HOOK = { type: "webhook", url: "https://hooks.example.org/relayers" };

test.each([
  ["no key on either side", {}, false],
  ["nothing said about keys", {}, undefined],
])("finds no difference between notifications: %s", async (_, desired, has_signing_key) => {
  const live: JsonObject = { ...HOOK, ...(has_signing_key !== undefined && { has_signing_key }) };
  const { plan } = await compared({ notifications: { n: { ...HOOK, ...desired } } }, { notifications: { n: live } });
  expect(plan).toMatchObject({ changes: [], cannot: [], not_compared: [], same: 1 });
});

const REFERENCE = reference("notifications", "n", "signing_key");
const NEVER = "the service never returns it";

test.each<[string, string | undefined, boolean | undefined, object, Partial<Parameters<typeof compared>[2]>?]>([
  ["the file has a key, the service none", KEY, false, { changes: [{ body: { signing_key: REFERENCE } }] }],
  [
    "the service has a key, the file none",
    undefined,
    true,
    { changes: [{ body: { signing_key: "" }, consent: "yes" }] },
  ],
  [
    "both have a key, and nothing is known",
    KEY,
    true,
    { changes: [], not_compared: [{ path: "signing_key", reason: NEVER }], same: 1 },
  ],
  [
    "nothing is known, and hidden values are sent",
    KEY,
    true,
    { changes: [{ body: { signing_key: REFERENCE } }] },
    { sendHidden: true },
  ],
  [
    "it is unknown whether the service has a key",
    KEY,
    undefined,
    { changes: [], not_compared: [{ path: "signing_key" }] },
  ],
  ["the same key was applied", KEY, true, { changes: [], not_compared: [], same: 1 }, { known: knows(KEY) }],
  [
    "another key was applied",
    KEY,
    true,
    { changes: [{ body: { signing_key: REFERENCE } }], same: 0 },
    { known: knows("other") },
  ],
  [
    "the key was applied, and the service lost it",
    KEY,
    false,
    { changes: [{ body: { signing_key: REFERENCE } }] },
    { known: knows(KEY) },
  ],
  [
    "the file leaves the key out",
    hiddenText("key"),
    true,
    { changes: [], not_compared: [{ path: "signing_key" }] },
    { sendHidden: true },
  ],
  [
    "the file leaves out a key that is not there",
    hiddenText("key"),
    false,
    { changes: [], cannot: [{ path: "signing_key" }] },
  ],
])("compares signing keys: %s", async (_, signing_key, has_signing_key, expected, options = {}) => {
  const desired = { ...HOOK, ...(signing_key !== undefined && { signing_key }) };
  const live: JsonObject = { ...HOOK, ...(has_signing_key !== undefined && { has_signing_key }) };
  const { plan, secrets } = await compared({ notifications: { n: desired } }, { notifications: { n: live } }, options);
  expect(plan).toMatchObject(expected);
  expect(JSON.stringify(plan)).not.toContain(KEY);
  const isSent = plan.changes.some(({ body }) => body.signing_key === REFERENCE);
  expect([...secrets]).toEqual(isSent ? [[REFERENCE, KEY]] : []);
});

test("shows the URL of a notification without its password", async () => {
  const url = (password: string) => `https://ops:${password}@hooks.example.org/canary`;
  const { plan, secrets } = await compared(
    { notifications: { n: { type: "webhook", url: url("new") } } },
    { notifications: { n: { type: "webhook", url: url("old") } } },
  );
  const shown = "https://hooks.example.org/***";
  expect(plan.changes).toMatchObject([
    { members: [{ path: "url", before: shown, after: shown }], body: { url: reference("notifications", "n", "url") } },
  ]);
  expect([...secrets]).toEqual([[reference("notifications", "n", "url"), url("new")]]);
});

const VAULT = { type: "vault", config: { address: "https://vault.example.org", key_name: "k", mount_point: null } };
const FILED = { ...VAULT, config: { ...VAULT.config, role_id: "role-canary", secret_id: "secret-canary" } };

test("compares what the service returns of a signer, and the rest by what was applied", async () => {
  const compare = async (desired: JsonObject, known?: KnownSecrets) =>
    (await compared({ signers: { s: desired } }, { signers: { s: VAULT } }, known && { known })).plan;
  expect(await compare(FILED)).toMatchObject({
    cannot: [],
    not_compared: [{ path: "config.role_id" }, { path: "config.secret_id" }],
    same: 1,
  });
  expect(await compare(FILED, knows("role-canary", "secret-canary"))).toMatchObject({ cannot: [], not_compared: [] });
  const other = await compare({ ...FILED, config: { ...FILED.config, key_name: "k2" } }, knows("role-canary"));
  expect(other).toMatchObject({
    changes: [],
    cannot: [
      { path: "config.key_name", before: "k", after: "k2" },
      {
        path: "config.secret_id",
        before: hiddenText("secret_id"),
        after: reference("signers", "s", "config.secret_id"),
      },
    ],
    same: 0,
  });
  expect(JSON.stringify(other)).not.toContain("canary");
});

test.each([
  ["plain", "local", []],
  ["local", "local", []],
  ["aws_kms", "local", ["type"]],
])("compares a signer of type %s with one that is returned as %s", async (type, returned, paths) => {
  const { plan } = await compared(
    { signers: { s: { type, config: {} } } },
    { signers: { s: { type: returned, config: {} } } },
  );
  expect(plan.cannot.map(({ path }) => path)).toEqual(paths);
});

test("leaves the config of a keystore signer to the service, and never creates one", async () => {
  const config = { path: "/keys/k.json", passphrase: "canary" };
  const keystore = { type: "local", config };
  const { plan } = await compared(
    { signers: { old: keystore, new: keystore } },
    { signers: { old: { type: "local", config: {} } } },
  );
  expect(plan).toMatchObject({
    changes: [],
    cannot: [],
    outside: [{ id: "new", reason: expect.stringContaining("config file") }],
    not_compared: [{ path: "config.passphrase" }, { path: "config.path" }],
  });
  expect(JSON.stringify(plan)).not.toContain("canary");
});

const SEPOLIA = {
  name: "sepolia",
  network_type: "evm",
  chain_id: 11155111,
  tags: ["a", "b"],
  rpc_urls: [{ url: "https://a/canary" }],
};

test("changes only the RPC URLs of a network, and does not show them", async () => {
  const desired = { ...SEPOLIA, chain_id: 1, tags: ["b", "a"], rpc_urls: [{ url: "https://a/canary-2", weight: 7 }] };
  const { plan, secrets } = await compared(
    { networks: { "evm:sepolia": desired } },
    { networks: { "evm:sepolia": { ...SEPOLIA, explorer_urls: ["https://e"] } } },
  );
  const url = reference("networks", "evm:sepolia", "rpc_urls.0.url");
  expect(plan.changes).toMatchObject([
    {
      members: [{ path: "rpc_urls", before: [{ url: "https://a/***" }], after: [{ url: "https://a/***", weight: 7 }] }],
      body: { rpc_urls: [{ url, weight: 7 }] },
      effects: ["relayers on this network without custom RPC URLs will use these"],
    },
  ]);
  expect(plan.outside).toMatchObject([{ path: "chain_id", before: 11155111, after: 1 }]);
  expect(secrets.get(url)).toBe("https://a/canary-2");
  expect(JSON.stringify(plan)).not.toContain("canary");
});

test("does not unset what a file does not say about a network", async () => {
  const { plan } = await compared(
    { networks: { "evm:sepolia": { name: "sepolia" } } },
    { networks: { "evm:sepolia": SEPOLIA } },
  );
  expect(plan).toMatchObject({ changes: [], outside: [], same: 1 });
});

const PLUGIN = {
  path: "p.ts",
  timeout: { secs: 300, nanos: 0 },
  ...{ emit_logs: false, emit_traces: false, raw_response: false, allow_get_invocation: false, forward_logs: false },
  config: null,
};

test("compares plugins with their defaults, and shows no text of their config", async () => {
  const planned = async (desired: JsonObject, live: JsonObject = PLUGIN) =>
    (await compared({ plugins: { p: desired } }, { plugins: { p: live } })).plan;
  expect(await planned({ path: "p.ts" })).toMatchObject({ changes: [], outside: [], same: 1 });
  const live = { ...PLUGIN, timeout: { secs: 9, nanos: 0 }, raw_response: true, config: { key: "canary", most: 5 } };
  const unset = await planned({ path: "p.ts" }, live);
  expect(unset.changes[0]?.body).toEqual({ timeout: 300, raw_response: false, config: {} });
  const changed = await planned(
    { path: "p.ts", timeout: 9, raw_response: true, config: { key: "new", most: 6n } },
    live,
  );
  expect(changed.changes[0]?.members).toMatchObject([
    { path: "config", before: { key: "***", most: 5 }, after: { key: "***", most: 6n } },
  ]);
  expect(await planned({ path: "other.ts" })).toMatchObject({ changes: [], outside: [{ path: "path" }], same: 0 });
  const v1_3 = { path: "p.ts", timeout: 300, emit_logs: false };
  expect(await planned({ path: "p.ts", emit_logs: true }, v1_3)).toMatchObject({
    changes: [],
    outside: [{ path: "emit_logs", reason: "services before v1.4 cannot change a plugin" }],
  });
});

test("lists networks and plugins that the service does not have as outside the API", async () => {
  const { plan } = await compared(
    { networks: { "evm:x": SEPOLIA }, plugins: { p: PLUGIN } },
    { networks: {}, plugins: {} },
  );
  expect(plan).toMatchObject({ changes: [], outside: [{ id: "evm:x" }, { id: "p" }], same: 0 });
});

test("lists what the service has no route for as outside the API", async () => {
  const { plan } = await compared(
    { networks: { "evm:x": SEPOLIA }, notifications: { n: HOOK } },
    liveFleet({ notifications: { n: HOOK } }, ["networks"]),
  );
  expect(plan).toMatchObject({
    changes: [],
    outside: [{ noun: "networks", reason: "this service has no route for networks; v1.4 added it" }],
    same: 1,
  });
});

test.each([
  ["1000", "1000"],
  ["1000.0", "1000"],
  ["1e3", "1000"],
  ["0.10", "1e-1"],
  ["0", "0"],
])("the number %s is written as %s", (json, text) => expect(canonicalJson(parseJson(json))).toBe(text));

const RELAYER = { name: "A", network: "mainnet", network_type: "evm", paused: false, signer_id: "kms" };

function relayersFile(...relayers: JsonObject[]): string {
  return JSON.stringify({ relayers });
}

test.each<[string, JsonObject, JsonObject]>([
  ["an ID that no request can address", { id: "a/b", name: "B" }, { "a/b": RELAYER }],
  ["a policy that the service does not have", { id: "a", policies: { gas_price_cap: -1 } }, { a: RELAYER }],
  [
    "a weight that the service does not have",
    { id: "a", custom_rpc_urls: [{ url: "https://a.example", weight: 300 }] },
    { a: RELAYER },
  ],
])("%s is refused after the comparison", async (_what, fields, relayers) => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, ...fields }));
  const live = liveFleet({ signers: { kms: {} }, relayers: relayers as Record<string, JsonObject> });
  await expect(compared(desired, live)).rejects.toMatchObject({
    exitCode: 2,
    details: [{ where: /^config\.json:1:/ }],
  });
});

test.each<[string, JsonObject, Record<string, JsonObject>, string]>([
  [
    "no strategy for Stellar, which the service has",
    { id: "a", network_type: "stellar" },
    { a: { ...RELAYER, network_type: "stellar", policies: { fee_payment_strategy: "user" } } },
    "Stellar policy is required. fee_payment_strategy is required",
  ],
  [
    "an ID that no service would create",
    { id: "a b" },
    {},
    "cannot create relayer a b: id: ID must contain only letters",
  ],
  [
    "a policy that no service has",
    { id: "a", policies: { gas_price_cap: -1 } },
    {},
    "cannot create relayer a: policies.gas_price_cap: a whole number",
  ],
  ["an empty name", { id: "a", name: "" }, {}, "cannot create relayer a: fill in name"],
  ["an empty name of one that exists", { id: "a", name: "" }, { a: RELAYER }, "fill in name"],
])("%s is one row, and the rest is planned", async (_what, fields, relayers, reason) => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, ...fields }, { ...RELAYER, id: "other", network: "base" }));
  const { plan } = await compared(desired, liveFleet({ signers: { kms: {} }, relayers }));
  expect(plan.cannot).toMatchObject([{ noun: "relayers", reason: expect.stringContaining(reason) }]);
  expect(plan.changes).toMatchObject([{ action: "create", id: "other" }]);
});

test("odd values are accepted if the service has the same", async () => {
  const odd = { ...RELAYER, name: "", policies: { gas_price_cap: -1 } };
  const { plan } = await compared(await fleetOf(relayersFile({ id: "a b", ...odd })), { relayers: { "a b": odd } });
  expect(plan).toMatchObject({ changes: [], cannot: [], outside: [], same: 1 });
});

test("an odd ID does not keep a relayer from being changed", async () => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, id: "a b", paused: true }));
  const { plan } = await compared(desired, { relayers: { "a b": RELAYER } });
  expect(plan.changes).toMatchObject([{ id: "a b", body: { paused: true } }]);
});

test("what is wrong beyond doubt is refused with every doubt, before the service is read", async () => {
  const file = relayersFile({ ...RELAYER, id: "a b" }, { ...RELAYER, id: "c" }, { ...RELAYER, id: "c" });
  expect(await problemsOf(fleetOf(file))).toEqual([
    expect.stringContaining("relayers.0.id a b: ID must contain only letters"),
    expect.stringContaining("relayers.2.id c: already used at"),
  ]);
});

test("a doubt is a mistake if the service cannot be read", async () => {
  const desired = await fleetOf(relayersFile({ ...RELAYER, id: "a b" }));
  const failing = {
    list: () => {
      throw new RelayctlError("server", "no");
    },
  };
  const client = { relayers: failing, signers: failing, notifications: failing, networks: failing, plugins: failing };
  await expect(readLiveFor(client as unknown as Parameters<typeof readLiveFor>[0], desired)).rejects.toMatchObject({
    exitCode: 2,
  });
});

test("an unknown type of signer is compared without showing any text", async () => {
  const file = (secret: string) => JSON.stringify({ signers: [{ id: "s", type: "later", config: { api: secret } }] });
  const live = { signers: { s: { type: "later", config: { api: "visible" } } } };
  const { plan } = await compared(await fleetOf(file("cAnArY")), live);
  expect(JSON.stringify(plan)).not.toContain("cAnArY");
  expect((await compared(await fleetOf(file("visible")), live)).plan.cannot).toEqual([]);
});

test.each(["signer_id", "notification_id"])("a file can leave out the %s of a relayer that has one", async (member) => {
  const fields = { ...RELAYER, notification_id: "hook", [member]: `\${hidden:${member}}` };
  const live = { ...RELAYER, notification_id: "hook" };
  const { plan } = await compared(await fleetOf(relayersFile({ id: "a", ...fields })), { relayers: { a: live } });
  expect(plan).toMatchObject({ changes: [], cannot: [], not_compared: [{ path: member }] });
});
