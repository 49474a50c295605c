import { SIGNER_TYPES } from "../../../src/contract/resources/signer.ts";
import { stateFromText, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { askDemo } from "../ask.ts";

const KEY = "5f".repeat(32);
const PLAIN = { id: "hot-2", type: "plain", config: { key: KEY } };

test("lists the signers of the demo's relayers and two that no relayer uses", async () => {
  const ask = askDemo();
  const { items, json } = await ask("GET", "/signers?per_page=100");
  const used = (await ask("GET", "/relayers?per_page=100")).items.map(({ signer_id }) => signer_id);
  const ids = items.map(({ id }) => id);
  expect(used.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => !used.includes(id))).toEqual(["old-key", "treasury-kms"]);
  expect(json?.pagination).toMatchObject({ total_items: ids.length });
});

test("a new plain signer is returned as local, and its key is not even kept", async () => {
  const state = seedState("demo");
  const ask = askDemo({ store: memoryStore(state) });
  const { status, data } = await ask("POST", "/signers", PLAIN);
  expect([status, data]).toEqual([201, { id: "hot-2", type: "local", config: {} }]);
  expect((await ask("GET", "/signers/hot-2")).data).toEqual(data);
  expect(stateToText(state)).not.toContain(KEY);
});

const service_account = {
  ...{ private_key: "k", private_key_id: "i", project_id: "project", client_email: "a@example.org", client_id: "100" },
  ...{ auth_uri: "https://a.example.org", token_uri: "https://t.example.org", universe_domain: "googleapis.com" },
  ...{ auth_provider_x509_cert_url: "https://c.example.org", client_x509_cert_url: "https://d.example.org" },
};
const key = { location: "global", key_ring_id: "ring", key_id: "id", key_version: 1 };
const vault = { address: "https://vault.example.org", key_name: "relayer", role_id: "r", secret_id: "s" };

/** A config of each type, and what is returned of it. */
const CONFIGS: Record<(typeof SIGNER_TYPES)[number], [config: object, shown: object]> = {
  plain: [{ key: KEY }, {}],
  aws_kms: [
    { region: "eu-west-1", key_id: "k" },
    { region: "eu-west-1", key_id: "k" },
  ],
  azure_key_vault: [
    { vault_url: "https://v.example.org", key_name: "k", client_secret: "s", tenant_id: "t", client_id: "c" },
    {
      ...{ vault_url: "https://v.example.org", key_name: "k", key_version: null, auth_type: null },
      ...{ tenant_id: "t", client_id: "c", federated_token_file: null },
    },
  ],
  vault: [vault, { address: vault.address, key_name: "relayer", namespace: null, mount_point: null }],
  vault_transit: [
    { ...vault, pubkey: "0x02a1", mount_point: "transit" },
    { address: vault.address, key_name: "relayer", pubkey: "0x02a1", namespace: null, mount_point: "transit" },
  ],
  turnkey: [
    { api_public_key: "02", api_private_key: "s", organization_id: "o", private_key_id: "p", public_key: "03" },
    { api_public_key: "02", organization_id: "o", private_key_id: "p", public_key: "03" },
  ],
  cdp: [
    {
      ...{ api_key_id: "k", api_key_secret: "c2VjcmV0", wallet_secret: "c2VjcmV0" },
      account_address: "0x8ba1f109551bd432803012645ac136ddd64dba72",
    },
    { api_key_id: "k", account_address: "0x8ba1f109551bd432803012645ac136ddd64dba72" },
  ],
  google_cloud_kms: [
    { service_account, key },
    {
      service_account: Object.fromEntries(
        Object.entries(service_account).filter(
          ([name]) => !["private_key", "private_key_id", "client_email"].includes(name),
        ),
      ),
      key,
    },
  ],
};

test.each(SIGNER_TYPES)("creates a signer of type %s, and returns none of its secrets", async (type) => {
  const [config, shown] = CONFIGS[type];
  const { status, data } = await askDemo()("POST", "/signers", { type, config });
  expect(status).toBe(201);
  expect(data).toEqual({ id: expect.any(String), type: type === "plain" ? "local" : type, config: shown });
});

describe("rejects", () => {
  test.each([
    ["an unknown type", { ...PLAIN, type: "keystore" }],
    ["a config of another type", { ...PLAIN, type: "aws_kms" }],
    ["a short key", { ...PLAIN, config: { key: "ab" } }],
    ["an unknown field", { ...PLAIN, name: "hot" }],
    ["a body that is not an object", []],
  ])("%s, and creates nothing", async (_, body) => {
    const ask = askDemo();
    const { status, json } = await ask("POST", "/signers", body);
    expect([status, json?.message]).toEqual([400, "Bad Request"]);
    expect((await ask("GET", "/signers/hot-2")).status).toBe(404);
  });

  test.each([
    ["unknown", {}],
    ["signer-1", { type: "plain" }],
  ])("an update of %s to %j", async (id, body) =>
    expect((await askDemo()("PATCH", `/signers/${id}`, body)).status).toBe(400),
  );
});

test("deletes a signer that no relayer uses, also in the stored state", async () => {
  const state = seedState("demo");
  const ask = askDemo({ store: memoryStore(state) });
  const { status, json } = await ask("DELETE", "/signers/old-key");
  expect([status, json]).toMatchObject([200, { data: "Signer deleted successfully" }]);
  const later = askDemo({ store: memoryStore(stateFromText(stateToText(state))) });
  expect((await later("GET", "/signers/old-key")).status).toBe(404);
});

test("a state that an earlier version stored gets the signers and plugins of the demo", async () => {
  const { signers: _, plugins: __, ...earlier } = JSON.parse(stateToText(seedState("demo")));
  const ask = askDemo({ store: memoryStore(stateFromText(JSON.stringify(earlier))) });
  const lists = await Promise.all([ask("GET", "/signers"), ask("GET", "/plugins")]);
  expect(lists.map(({ items }) => items.length)).toEqual([10, 3]);
});
