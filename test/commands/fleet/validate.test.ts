import { parseJson } from "../../../src/contract/json.ts";
import { cli, exited, type World } from "../../helpers/cli.ts";
import { PBKDF2, sealed } from "./shipped-shapes.ts";

const EMPTY = '{"relayers": [], "signers": [], "notifications": []}';
const NETWORK = '{"networks": [{"type": "solana", "network": "near", "rpc_urls": ["https://near.example.com"]}]}';
/** The folder that a service reads if its file has no networks. */
const USUAL = { "config/networks/n.json": NETWORK };

const FILE = `{
  "notifications": [
    { "id": "hook", "type": "webhook", "url": "" },
    { "id": "ops", "type": "webhook", "url": "https://hooks.example.org", "signing_key": { "type": "plain",
      "value": "0000000000000000000000000000000000000000000000000000000000000000" } }
  ],
  "signers": [{ "id": "kms", "type": "aws_kms", "config": { "regio": "eu", "region": "eu", "key_id": "YOUR_KEY_ID" } }],
  "networks": "./nets", "relayers": []
}
`;

async function validate(line: string, files: Record<string, string>, world: World = {}) {
  return await cli(`validate ${line}`, { env: {}, files: { ...USUAL, ...files }, ...world });
}

test("everything is found at once, with line, reason, and fix", async () => {
  const { stdout } = await exited({ exitCode: 13, requests: [] }, validate("c.json -o json", { "c.json": FILE }));
  const row = (line: number, path: string, severity: string, code: string, fix: string) =>
    expect.objectContaining({ file: "c.json", line, path, severity, code, fix });
  expect(parseJson(stdout)).toEqual([
    row(3, "notifications.0.url", "note", "placeholder", "fill in url"),
    row(5, "notifications.1.signing_key", "note", "placeholder", "fill in signing_key"),
    row(7, "signers.0.config.regio", "error", "unknown_member", "rename it to region, or add --allow-unknown"),
    row(7, "signers.0.config.key_id", "note", "placeholder", "fill in config.key_id"),
    row(8, "networks", "note", "networks_not_found", "add --networks FOLDER"),
  ]);
  expect(stdout).not.toContain("YOUR_KEY_ID");
});

test.each([
  ["what is only unfinished", "", 0],
  ["what is only unfinished, with --strict", " --strict", 13],
])("%s ends with its code", async (_, flags, code) => {
  const files = { "c.json": FILE.replace('"regio": "eu", ', "") };
  const { exitCode, stderr } = await validate(`c.json${flags}`, files);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: code, stderr: expect.stringContaining("4 notes") });
});

test("a file without a fault is an empty list in JSON", async () => {
  const files = { "c.json": EMPTY };
  expect(await validate("c.json -o json", files)).toMatchObject({ exitCode: 0, stdout: "[]\n" });
});

test("a file without a fault is silent in a pipe, also from stdin", async () => {
  const ran = await validate("- --strict", {}, { stdin: EMPTY });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "", stderr: "nothing is wrong or unfinished\n" });
});

test("files that cannot be read or parsed are findings next to all others", async () => {
  const { stdout } = await exited(
    13,
    validate("gone.json bad.json c.json --fields file,line,code", { "bad.json": '{\n"relayers" []}', "c.json": FILE }),
  );
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    "gone.json\t\tunreadable",
    "bad.json\t2\tsyntax",
    "c.json\t3\tplaceholder",
  ]);
});

test("SARIF has a result with a region for each finding", async () => {
  const { stdout } = await exited(13, validate("a/c.json -o sarif", { "a/c.json": FILE }));
  const { version, runs } = JSON.parse(stdout);
  expect(version).toBe("2.1.0");
  expect(runs[0].results).toHaveLength(5);
  expect(runs[0].results[2]).toMatchObject({
    ...{ ruleId: "unknown_member", level: "error" },
    locations: [{ physicalLocation: { artifactLocation: { uri: "a/c.json" }, region: { startLine: 7 } } }],
  });
  const ids = runs[0].tool.driver.rules.map(({ id }: { id: string }) => id);
  for (const { ruleId } of runs[0].results) expect(ids).toContain(ruleId);
});

test.each<[string, string, Record<string, string>]>([
  ["with -o github", " -o github", {}],
  ["in GitHub Actions", "", { GITHUB_ACTIONS: "true" }],
])("%s, each finding annotates its line", async (_, flags, env) => {
  const { stdout } = await validate(`c.json${flags}`, { "c.json": FILE }, { env });
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(
    /^::notice file=c\.json,line=3,col=\d+,title=relayctl placeholder::notifications\.0\.url: .*; fill in url$/,
  );
  expect(lines[2]).toMatch(/^::error file=c\.json,line=7,/);
});

test.each([
  ["-o markdown", "is a format of `relayctl plan` and `relayctl drift` only"],
  ["-o raw", "is the response to one request"],
  ["-o sarif --query x", "cannot be combined with -o sarif"],
  ["--networks=", "needs the name of a folder"],
])("%s is refused", async (flags, rule) => {
  const { exitCode, stderr } = await validate(`c.json ${flags}`, { "c.json": FILE });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(rule) });
});

/** Where the folder of `a/b/c/d.json` may be, in order. */
const FOLDERS = ["a/b/c/nets", "nets", "a/b/nets", "a/nets"];

test.each(FOLDERS)("a folder of networks is found in %s, unless an earlier place has it", async (folder) => {
  const rest = FOLDERS.slice(FOLDERS.indexOf(folder));
  const found = Object.fromEntries(rest.map((each) => [`${each}/n.json`, each === folder ? NETWORK : "{"]));
  const files = { "a/b/c/d.json": '{"networks": "./nets"}', "a/.git/HEAD": "", "../nets/n.json": "{", ...found };
  expect(await validate("a/b/c/d.json", files)).toMatchObject({ exitCode: 0, stdout: "" });
});

test("folders above the repository are not looked in, and without a repository none above; --networks replaces all", async () => {
  const files = { "a/b/c/d.json": '{"networks": "./nets"}', "a/nets/n.json": NETWORK, "far/n.json": NETWORK };
  const without = await validate("a/b/c/d.json --fields code,message", files);
  expect(without.stdout).toBe("networks_not_found\tnetworks not compared; looked in a/b/c/nets, nets, a/b/nets\n");
  const inside = await validate("a/b/c/d.json --fields code", { ...files, "a/b/.git/HEAD": "" });
  expect(inside.stdout).toBe("networks_not_found\n");
  expect(await validate("a/b/c/d.json --networks far", files)).toMatchObject({ exitCode: 0, stdout: "" });
});

const EVM = { type: "evm", network: "n", rpc_urls: ["https://n.example.org"], chain_id: 7, symbol: "ETH" };
const OWN = { ...EVM, required_confirmations: 1, average_blocktime_ms: 1_000 };
const RELAYER = { id: "r", name: "R", network: "n", paused: false, network_type: "evm", signer_id: "s" };
const HOOK = { id: "h", type: "webhook", url: "https://h.example.org" };
const PLAIN = { type: "plain", value: "p" };
const KEYSTORE = sealed("p");
const { crypto: CRYPTO } = KEYSTORE;
const SIGNER = { id: "s", type: "local", config: { path: "p", passphrase: PLAIN } };
const TRANSIT = {
  type: "vault_transit",
  config: { ...{ address: "https://v.example.org", key_name: "k", pubkey: "p" }, role_id: PLAIN, secret_id: PLAIN },
};
const AZURE = {
  type: "azure_key_vault",
  config: { vault_url: "https://v.example.org", key_name: "k", tenant_id: "t", client_id: PLAIN, client_secret: PLAIN },
};
const GOOGLE = {
  type: "google_cloud_kms",
  config: {
    service_account: {
      ...{ project_id: "p", client_id: "c" },
      ...{ private_key_id: PLAIN, private_key: PLAIN, client_email: PLAIN },
    },
    key: { location: null, key_ring_id: "r", key_id: "k" },
  },
};
const KEY = "0123456789abcdef0123456789abcdef";

/** What the service does is in facts 14.1. */
test.each<[what: string, fleet: object, found: readonly string[]]>([
  ["nothing", { networks: [OWN], relayers: [RELAYER], plugins: null }, []],
  ["no chain ID", { networks: [{ ...OWN, chain_id: null }] }, ["error networks.0.chain_id"]],
  ["no confirmations", { networks: [EVM] }, ["error networks.0.required_confirmations"]],
  ["no symbol", { networks: [{ ...OWN, symbol: null }] }, ["error networks.0.symbol"]],
  ["no node", { networks: [{ type: "solana", network: "n" }] }, ["error networks.0.rpc_urls"]],
  ["an inherited network", { networks: [OWN, { type: "evm", network: "m", from: "n", rpc_urls: null }] }, []],
  [
    "an inherited network without the member",
    { networks: [OWN, { type: "evm", network: "m", from: "n" }] },
    ["error networks.1.rpc_urls"],
  ],
  [
    "members of other types",
    {
      networks: [
        { ...OWN, passphrase: "p" },
        { type: "solana", network: "m", rpc_urls: OWN.rpc_urls, chain_id: null },
      ],
    },
    ["error networks.0.passphrase", "error networks.1.chain_id"],
  ],
  [
    "a status check",
    { networks: [{ ...OWN, status_check: { initial_delay_seconds: 1 } }] },
    ["warning networks.0.status_check"],
  ],
  [
    "a relayer on a network without a block time",
    { networks: [{ ...OWN, average_blocktime_ms: null }], relayers: [RELAYER] },
    ["error relayers.0.network"],
  ],
  ["an unused network without a block time", { networks: [{ ...OWN, average_blocktime_ms: null }] }, []],
  ["an explorer", { networks: [{ ...OWN, explorer_urls: ["n"] }] }, ["error networks.0.explorer_urls.0"]],
  [
    "a cache",
    { networks: [{ ...OWN, gas_price_cache: { expire_after_ms: 9 } }] },
    ["error networks.0.gas_price_cache"],
  ],
  [
    "a mistyped cache",
    { networks: [{ ...OWN, gas_price_cache: { enabled: "yes", stale_ms: 9 } }] },
    ["error networks.0.gas_price_cache.enabled", "error networks.0.gas_price_cache.stale_ms"],
  ],
  ["an empty symbol", { networks: [{ ...OWN, symbol: "" }] }, ["error networks.0.symbol"]],
  ["a flag of null", { plugins: [{ id: "p", path: "p.ts", emit_logs: null }] }, ["error plugins.0.emit_logs"]],
  ["networks of null", { networks: null }, []],
  ["a folder without a name", { networks: "" }, []],
  ["no relayers", { relayers: undefined }, ["note relayers"]],
  ["only relayers", { signers: undefined, notifications: undefined }, ["note signers", "note notifications"]],
  ["networks alone", { networks: [OWN], relayers: undefined, signers: undefined, notifications: undefined }, []],
  ["a usual cache", { networks: [{ ...OWN, gas_price_cache: { enabled: true } }] }, []],
  ["policies of null", { relayers: [{ ...RELAYER, policies: null }] }, ["error relayers.0.policies"]],
  [
    "an amount in quotes",
    { relayers: [{ ...RELAYER, policies: { min_balance: "5 wei" } }] },
    ["warning relayers.0.policies.min_balance"],
  ],
  ["a bare key", { notifications: [{ ...HOOK, signing_key: KEY }] }, ["warning notifications.0.signing_key"]],
  ["a key", { notifications: [{ ...HOOK, signing_key: { type: "plain", value: KEY } }] }, []],
  ["a bare tenant", { signers: [{ ...AZURE, id: "s" }] }, ["warning signers.0.config.tenant_id"]],
  ["a location of null", { signers: [{ ...GOOGLE, id: "s" }] }, ["error signers.0.config.key.location"]],
  [
    "a huge number",
    { plugins: [{ id: "p", path: "p.ts", config: { a: [1e300, "1e400"] } }] },
    ["error plugins.0.config.a.1"],
  ],
  ["a plugin in JavaScript", { plugins: [{ id: "p", path: "p.js" }] }, ["error plugins.0.path"]],
])("what ends a service's start is found, and plans are made all the same: %s", async (_, fleet, found) => {
  const text = JSON.stringify({ notifications: [], signers: [SIGNER], relayers: [], ...fleet }).replace(
    '"1e400"',
    "1e400",
  );
  const files = { "c.json": text, p: JSON.stringify(KEYSTORE) };
  const { stdout } = await validate("c.json --fields severity,path", files);
  expect(stdout.split("\n").filter(Boolean)).toEqual(found.map((each) => each.replace(" ", "\t")));
  // JSON is YAML, too, which no service reads.
  expect((await validate("c.yaml", { "c.yaml": text })).stdout).toBe("");
  const plan = await cli("plan -f c.json", { files: { "c.json": text } });
  expect(plan.stderr).not.toContain("start");
  expect([0, 20]).toContain(plan.exitCode);
});

test.each<[what: string, keystore: object | string, message: string | undefined]>([
  ["whose version only newer programs know", { ...KEYSTORE, version: 4 }, undefined],
  ["with an ID without hyphens", { ...KEYSTORE, id: KEYSTORE.id.replaceAll("-", "") }, undefined],
  ["of no derivation", { ...KEYSTORE, crypto: { ...CRYPTO, kdf: null } }, "crypto.kdf: pbkdf2 or scrypt"],
  ["that is not JSON", "key", "not JSON"],
  ["without an ID", { ...KEYSTORE, id: undefined }, "id: must be a string"],
  ["of a version that is no byte", { ...KEYSTORE, version: 300 }, "version: a whole number from 0 to 255"],
  ["of another derivation", { ...KEYSTORE, crypto: { ...CRYPTO, kdf: "argon2" } }, "crypto.kdf: one of pbkdf2, scrypt"],
  [
    "of a short key",
    { ...KEYSTORE, crypto: { ...CRYPTO, kdfparams: { ...PBKDF2.kdfparams, dklen: 16 } } },
    "crypto.kdfparams: needs dklen from 32, salt, and c and prf, or n, p, and r",
  ],
  ["with a byte order mark", `\ufeff${JSON.stringify(KEYSTORE)}`, "not JSON"],
  ["of another passphrase", sealed("q"), "the passphrase is wrong"],
  ["of another passphrase, by PBKDF2", sealed("q", undefined, PBKDF2), "the passphrase is wrong"],
  ["by PBKDF2", sealed("p", undefined, PBKDF2), undefined],
  [
    "of many rounds",
    {
      ...KEYSTORE,
      crypto: { ...sealed("q", undefined, PBKDF2).crypto, kdfparams: { ...PBKDF2.kdfparams, c: 2 ** 30 } },
    },
    undefined,
  ],
  [
    "of parameters that no library takes",
    { ...KEYSTORE, crypto: { ...CRYPTO, kdfparams: { dklen: 32, n: 262_144, p: 8, r: 1, salt: "00" } } },
    undefined,
  ],
  ["of a zero key", sealed("p", "00".repeat(32)), "the private key is zero"],
  ["without 0x", { ...KEYSTORE, crypto: { ...CRYPTO, mac: "0x00" } }, "crypto.mac: 32 bytes in hex"],
])("a keystore %s is an error if no service loads it", async (_, keystore, message) => {
  const text = JSON.stringify({ notifications: [], signers: [SIGNER], relayers: [] });
  const files = { "a/c.json": text, "a/p": typeof keystore === "string" ? keystore : JSON.stringify(keystore) };
  const { stdout } = await validate("a/c.json --fields severity,path,message", files);
  expect(stdout).toBe(message === undefined ? "" : `error\tsigners.0.config.path\tkeystore a/p: ${message}\n`);
});

test("a passphrase in a variable is tried if it is set", async () => {
  const signer = { ...SIGNER, config: { path: "p", passphrase: { type: "env", value: "PASSPHRASE" } } };
  const text = JSON.stringify({ notifications: [], signers: [signer], relayers: [] });
  const files = { "c.json": text, p: JSON.stringify(sealed("word")) };
  const found = ["word", "sword", ""].map((PASSPHRASE) =>
    validate("c.json --fields code", files, { env: { PASSPHRASE } }),
  );
  expect((await Promise.all(found)).map(({ stdout }) => stdout)).toEqual(["", "invalid_value\n", "not_set\n"]);
  const hidden = {
    "c.json": text.replace('{"type":"env","value":"PASSPHRASE"}', `"\${hidden:passphrase}"`),
    p: files.p,
  };
  expect((await validate("c.json --fields severity,code,message", hidden)).stdout).toBe(
    "note\tplaceholder\ta service does not start with a hidden value\n",
  );
});

test.each([undefined, null, ""])(
  "networks of %s are a note without the folder that a service reads then",
  async (networks) => {
    const files = { "a/c.json": JSON.stringify({ ...JSON.parse(EMPTY), networks }), "config/networks/n.json.txt": "" };
    const { stdout } = await cli("validate a/c.json --fields path,code", { files });
    expect(stdout).toBe(`networks\t${networks === "" ? "networks_not_found" : "missing_member"}\n`);
  },
);

test("a keystore that is not where a service would look is a note, and stays one for other files", async () => {
  const text = JSON.stringify({ notifications: [], signers: [SIGNER], relayers: [] });
  const { stdout } = await validate("a/c.json --fields severity,code,message", { "a/c.json": text });
  expect(stdout).toBe("note\tunreadable\tthe keystore was not read; looked in a/p, p\n");
});

test("a relayer of a network that has another name in the files ends a start, and a plan only warns", async () => {
  const fleet = { networks: [OWN], relayers: [{ ...RELAYER, network: "N" }], signers: [SIGNER], notifications: [] };
  const files = { p: JSON.stringify(KEYSTORE), "c.json": JSON.stringify(fleet), "c.yaml": JSON.stringify(fleet) };
  const severities = ["c.json", "c.yaml"].map((file) => validate(`${file} --fields severity,code`, files));
  expect((await Promise.all(severities)).map(({ stdout }) => stdout)).toEqual([
    "error\tmissing_resource\n",
    "warning\tsuspicious\n",
  ]);
  expect((await cli("plan -f c.json", { files })).stderr).toContain("warning: c.json:1:");
});

test("a signer that cannot sign for a relayer's network is an error, and a plan cannot create the relayer", async () => {
  const text = JSON.stringify({ notifications: [], signers: [{ ...TRANSIT, id: "s" }], relayers: [RELAYER] });
  const { stdout } = await exited(13, validate("c.json --fields path,message", { "c.json": text }));
  const rule = "signers of type vault_transit cannot sign for evm networks";
  expect(stdout).toBe(`relayers.0.signer_id\ts: ${rule}\n`);
  const plan = await exited(20, cli("plan -f c.json", { files: { "c.json": text } }));
  expect(plan.stdout).toContain(`cannot create relayer r: signer_id: ${rule}`);
});

test("policies that are a number are refused, however the number is written", async () => {
  for (const policies of ["5", "1.0", "1e3"]) {
    const text = JSON.stringify({ relayers: [{ ...RELAYER, policies: 0 }] });
    const files = { "c.json": text.replace('"policies":0', `"policies":${policies}`) };
    const { stdout } = await validate("c.json --fields path,message", files);
    expect(stdout.split("\n").at(-2)).toBe(`relayers.0.policies\t${policies}: must be an object`);
    const stdin = `{"paused": true, "policies": ${policies}}`;
    expect(await cli("relayers update eth-main-1 -f -", { stdin })).toMatchObject({ exitCode: 2, writes: [] });
    const config = `{"config": ${policies}}`;
    expect(await cli("plugins update rebalance -f -", { stdin: config })).toMatchObject({ exitCode: 2, writes: [] });
  }
});

test("a byte order mark, which no service reads, is an error in JSON", async () => {
  const text = `\ufeff${JSON.stringify({ notifications: [], signers: [], relayers: [] })}`;
  const { stdout } = await validate("c.json --fields line,severity,message", { "c.json": text });
  expect(stdout).toBe("1\terror\tno service reads a byte order mark\n");
  expect((await validate("c.yaml", { "c.yaml": text })).stdout).toBe("");
  const marked = { "c.json": '{"networks": "nets"}', "nets/n.json": `\ufeff${NETWORK}` };
  expect((await validate("c.json --fields file,code", marked)).stdout).toBe("nets/n.json\tsyntax\n");
  expect((await cli("plan -f c.json", { files: { "c.json": text } })).exitCode).toBe(0);
});
