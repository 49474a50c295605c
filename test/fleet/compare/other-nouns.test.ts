import type { JsonObject } from "../../../src/contract/json.ts";
import { hiddenText } from "../../../src/fleet/hidden.ts";
import type { KnownSecrets } from "../../../src/fleet/known-secrets.ts";
import { compared, liveFleet, reference } from "../../helpers/fleet.ts";

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

test.each<[string, string | undefined, boolean | undefined, Partial<Parameters<typeof compared>[2]>, object]>([
  ["the file has a key, the service none", KEY, false, {}, { changes: [{ body: { signing_key: REFERENCE } }] }],
  [
    "the service has a key, the file none",
    undefined,
    true,
    {},
    { changes: [{ body: { signing_key: "" }, consent: "yes" }] },
  ],
  [
    "both have a key, and nothing is known",
    KEY,
    true,
    {},
    { changes: [], not_compared: [{ path: "signing_key", reason: NEVER }], same: 1 },
  ],
  [
    "nothing is known, and hidden values are sent",
    KEY,
    true,
    { sendHidden: true },
    { changes: [{ body: { signing_key: REFERENCE } }] },
  ],
  [
    "it is unknown whether the service has a key",
    KEY,
    undefined,
    {},
    { changes: [], not_compared: [{ path: "signing_key" }] },
  ],
  ["the same key was applied", KEY, true, { known: knows(KEY) }, { changes: [], not_compared: [], same: 1 }],
  [
    "another key was applied",
    KEY,
    true,
    { known: knows("other") },
    { changes: [{ body: { signing_key: REFERENCE } }], same: 0 },
  ],
  [
    "the key was applied, and the service lost it",
    KEY,
    false,
    { known: knows(KEY) },
    { changes: [{ body: { signing_key: REFERENCE } }] },
  ],
  [
    "the file leaves the key out",
    hiddenText("key"),
    true,
    { sendHidden: true },
    { changes: [], not_compared: [{ path: "signing_key" }] },
  ],
  [
    "the file leaves out a key that is not there",
    hiddenText("key"),
    false,
    {},
    { changes: [], cannot: [{ path: "signing_key" }] },
  ],
])("compares signing keys: %s", async (_, signing_key, has_signing_key, options, expected) => {
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
