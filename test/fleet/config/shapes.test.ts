import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import type { DesiredFleet } from "../../../src/fleet/desired-fleet.ts";
import { parseDocument } from "../../../src/fleet/source/document.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { FIXTURE_ENV, fixtureFiles, fixtureSources } from "../fixture.ts";
import { memorySources } from "../fleet-files.ts";

const CONFIG = "config/config.json";

function fieldsOf({ resources }: DesiredFleet, noun: string, id: string) {
  return resources.find((resource) => resource.noun === noun && resource.id === id)?.fields;
}

test("a file of the service with every shape is read as requests, without a warning", async () => {
  const sources = fixtureSources();
  const fleet = await readFleetFiles([CONFIG], sources);
  expect(fleet.warnings).toEqual([]);
  expect(fleet.resources.map(({ noun, id, fields }) => ({ noun, id, fields }))).toMatchSnapshot();
  expect(fleet.resources.flatMap(({ id, references }) => [...references].map((one) => [id, ...one]))).toMatchSnapshot();
});

test("every secret from a variable is reported, and nothing else", async () => {
  const sources = fixtureSources();
  await readFleetFiles([CONFIG], sources);
  const { AZURE_TENANT_ID, ...secrets } = FIXTURE_ENV;
  const plain = ["YXBpLWtleS1zZWNyZXQ=", "d2FsbGV0LXNlY3JldA=="];
  expect(new Set(sources.secrets)).toEqual(new Set([...Object.values(secrets), ...plain]));
  expect(sources.secrets).not.toContain(AZURE_TENANT_ID);
});

test("networks of a folder are found next to the file, then next to its parent", async () => {
  const network = '{"networks": [{"type": "evm", "network": "near", "rpc_urls": ["https://near.example.com"]}]}';
  const both = await readFleetFiles([CONFIG], fixtureSources({ "config/config/networks/a.json": network }));
  expect(both.resources.flatMap(({ noun, id }) => (noun === "networks" ? [id] : []))).toEqual(["evm:near"]);
  const far = await readFleetFiles([CONFIG], fixtureSources());
  expect(far.resources.flatMap(({ noun, id }) => (noun === "networks" ? [id] : []))).toEqual([
    ...["evm:mainnet", "evm:sepolia"],
    ...["solana:mainnet-beta", "stellar:testnet"],
  ]);
});

test("a network inherits: lists replace the inherited ones, except features and tags, and places are those of the origin", async () => {
  const fleet = await readFleetFiles([CONFIG], fixtureSources());
  const sepolia = fleet.resources.find(({ id }) => id === "evm:sepolia");
  expect(sepolia?.fields).toEqual({
    id: "evm:sepolia",
    name: "sepolia",
    network_type: "evm",
    chain_id: 11_155_111,
    required_confirmations: 12,
    symbol: "ETH",
    features: ["eip1559", "blobs"],
    rpc_urls: [{ url: "https://rpc.example.com/mainnet" }, { url: "https://rpc2.example.com", weight: 200 }],
    explorer_urls: ["https://sepolia.example.com"],
    average_blocktime_ms: 12_000,
    is_testnet: true,
    tags: ["mainnet", "ethereum", "testnet"],
  });
  const file = "config/networks/evm.json";
  expect([...(sepolia?.references ?? [])]).toEqual([["rpc_urls.0.url", `\${source:${file}#/networks/0/rpc_urls/0}`]]);
  expect(sepolia?.placeOf("rpc_urls.0.url")).toMatchObject({ file, line: 10 });
  expect(sepolia?.placeOf("chain_id")).toMatchObject({ file, line: 21 });
  expect(sepolia?.placeOf("name")).toMatchObject({ file, line: 20 });
});

test("the same file as YAML describes the same fleet", async () => {
  const files = fixtureFiles();
  const { value } = await parseDocument(CONFIG, files[CONFIG] ?? "");
  const yaml = await yamlText(value);
  const fromYaml = await readFleetFiles(["config/c.yaml"], fixtureSources({ "config/c.yaml": yaml }));
  const fromJson = await readFleetFiles([CONFIG], fixtureSources());
  const plain = ({ resources }: DesiredFleet) => resources.map(({ noun, id, fields }) => ({ noun, id, fields }));
  expect(plain(fromYaml)).toEqual(plain(fromJson));
  expect(fromYaml.nouns).toEqual(fromJson.nouns);
});

const YAML = `# what we run
notifications:
  - id: hook
    type: webhook
    url: https://hooks.example.com/\${env:HOOK}   # interpolated, so a secret
    signing_key: \${file:keys/hook}
  - id: kept
    type: webhook
    url: https://hooks.example.com
    signing_key: \${hidden:key}
signers:
  - id: vault
    type: vault
    config:
      address: https://\${env:VAULT_HOST}
      key_name: app
      role_id: \${env:ROLE}
      secret_id: \${hidden:secret_id}
  - {id: dev, type: plain, config: {key: "\${env:DEV_KEY}"}}
networks:
  - {type: evm, network: local, symbol: POL, rpc_urls: ["https://rpc.example.com"]}
relayers:
  - id: r1
    name: "\${env:NAME} $\${NAME}"
    network: local
    network_type: evm
    paused: false
    signer_id: vault
    notification_id: ~
    policies:
      gas_price_cap: 340282366920938463463374607431768211455
      min_balance: 0.5pol
      whitelist_receivers: [0x52908400098527886E0F7030069857D2E4169EE7]
      include_revert_data: null
    custom_rpc_urls:
      - \${hidden:https://rpc.example.com#1}
      - https://rpc.example.com/v2/\${env:RPC_KEY}
  - {id: r2, name: Two, network: testnet, network_type: stellar, paused: true, signer_id: dev, policies: {fee_payment_strategy: relayer, max_fee: 0.1xlm, min_balance: 5000 stroop}}
  - {id: r3, name: Three, network: devnet, network_type: solana, paused: true, signer_id: dev, policies: {min_balance: 0.01sol, fee_margin_percentage: 0.10}}
`;

const ENV = {
  HOOK: "hook-path",
  VAULT_HOST: "vault.example.com",
  ROLE: "role-1",
  DEV_KEY: "1".repeat(64),
  NAME: "One",
  RPC_KEY: "rpc-key-of-a-provider",
};

test("YAML has units, references, hidden values, and bare secrets", async () => {
  const sources = memorySources({ "fleet/f.yaml": YAML, "fleet/keys/hook": `${"s".repeat(32)}\n` }, ENV);
  const fleet = await readFleetFiles(["fleet/f.yaml"], sources);
  expect(fieldsOf(fleet, "notifications", "hook")).toMatchObject({
    url: "https://hooks.example.com/hook-path",
    signing_key: "s".repeat(32),
  });
  expect(fieldsOf(fleet, "notifications", "kept")).toMatchObject({ signing_key: `\${hidden:key}` });
  expect(fieldsOf(fleet, "signers", "vault")?.config).toEqual({
    address: "https://vault.example.com",
    key_name: "app",
    role_id: "role-1",
    secret_id: `\${hidden:secret_id}`,
  });
  expect(fieldsOf(fleet, "relayers", "r1")).toEqual({
    id: "r1",
    name: `One \${NAME}`,
    network: "local",
    network_type: "evm",
    paused: false,
    signer_id: "vault",
    policies: {
      gas_price_cap: 2n ** 128n - 1n,
      min_balance: 500_000_000_000_000_000n,
      whitelist_receivers: ["0x52908400098527886E0F7030069857D2E4169EE7"],
    },
    custom_rpc_urls: [
      { url: `\${hidden:https://rpc.example.com#1}` },
      { url: "https://rpc.example.com/v2/rpc-key-of-a-provider" },
    ],
  });
  expect(fieldsOf(fleet, "relayers", "r2")?.policies).toMatchObject({ max_fee: 1_000_000, min_balance: 5000 });
  expect(fieldsOf(fleet, "relayers", "r3")?.policies).toMatchObject({ min_balance: 10_000_000 });
  const references = fleet.resources.map(({ id, references }) => [id, Object.fromEntries(references)]);
  expect(Object.fromEntries(references)).toMatchObject({
    hook: { url: `https://hooks.example.com/\${env:HOOK}`, signing_key: `\${file:fleet/keys/hook}` },
    kept: {},
    vault: { "config.role_id": `\${env:ROLE}` },
    dev: { "config.key": `\${env:DEV_KEY}` },
    r1: { "custom_rpc_urls.1.url": `https://rpc.example.com/v2/\${env:RPC_KEY}` },
  });
  expect(new Set(sources.secrets)).toEqual(new Set(["s".repeat(32), "role-1", ENV.DEV_KEY, ENV.RPC_KEY, ENV.HOOK]));
});

test("several files are one fleet, and an empty list is a list", async () => {
  const sources = memorySources({
    "a.yaml": "signers: []\nnotifications:\n  - {id: n, type: webhook, url: https://a.example.com}",
    "-": '{"relayers": [], "notifications": [{"id": "m", "type": "webhook", "url": "https://b.example.com"}]}',
  });
  const { resources, nouns } = await readFleetFiles(["a.yaml", "-", "a.yaml"], sources);
  expect(nouns).toEqual(new Set(["signers", "notifications", "relayers"]));
  expect(resources.map(({ id, place }) => [id, place])).toEqual([
    ["n", { file: "a.yaml", line: 3, column: 5 }],
    ["m", { file: "stdin", line: 1, column: 36 }],
  ]);
});
