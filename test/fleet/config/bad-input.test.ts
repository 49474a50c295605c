import { type RelayctlError, usageError } from "../../../src/errors.ts";
import { inspectFleet, readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import { fleetOf, memorySources, problemsOf } from "../fleet-files.ts";

const RELAYER =
  '"id": "r", "name": "R", "network": "sepolia", "network_type": "evm", "paused": false, "signer_id": "s"';
const SOLANA = RELAYER.replace('"evm"', '"solana"');
const STELLAR = RELAYER.replace('"evm"', '"stellar"');

function relayer(members: string, base = RELAYER): string {
  return `{"relayers": [{${base}, ${members}}]}`;
}

function signer(type: string, config: string): string {
  return `{"signers": [{"id": "s", "type": "${type}", "config": {${config}}}]}`;
}

function notification(members: string): string {
  return `{"notifications": [{"id": "n", "type": "webhook", "url": "https://h", ${members}}]}`;
}

const MOST = 2n ** 128n - 1n;
const SHORT = "ID must contain only letters, numbers, dashes and underscores and must be at most 36 characters long";

/** Each text, and its only problem without the place. */
test.each<[what: string, text: string, problem: string]>([
  ["no object", "[]", "must be an object with notifications, signers, networks, plugins, relayers"],
  ["no list", '{"relayers": null}', "relayers: must be a list; [] is an empty one"],
  ["an item that is no object", '{"relayers": [1]}', "relayers.0: must be an object"],
  ["an object as ID", relayer('"notification_id": null').replace('"r"', "{}"), "relayers.0.id: must be a string"],
  [
    "an object as the name of a network",
    '{"networks": [{"type": "evm", "network": {}}]}',
    "networks.0.network: must be a string",
  ],
  [
    "a list as the type of a network",
    '{"networks": [{"type": [], "network": "a"}]}',
    "networks.0.type: must be a string",
  ],
  ["a missing ID", `{"relayers": [{${RELAYER.replace('"id": "r", ', "")}}]}`, "relayers.0.id: is required: its ID"],
  [
    "a missing state",
    `{"relayers": [{${RELAYER.replace('"paused": false, ', "")}}]}`,
    "relayers.0.paused: is required: true or false",
  ],
  [
    "an empty name",
    relayer('"notification_id": null').replace('"R"', '""'),
    "relayers.0.name (empty): Name cannot be empty",
  ],
  ["an ID with a space", relayer('"notification_id": null').replace('"r"', '"a b"'), `relayers.0.id a b: ${SHORT}`],
  [
    "an unknown kind",
    relayer('"notification_id": null').replace('"evm"', '"evn"'),
    "relayers.0.network_type evn: one of evm, solana, stellar (did you mean evm?)",
  ],
  [
    "a text for a flag",
    relayer('"notification_id": null').replace("false", '"no"'),
    "relayers.0.paused no: true or false",
  ],
  [
    "an unknown policy",
    relayer('"policies": {"gas_price_capp": 1}'),
    "relayers.0.policies.gas_price_capp: unknown member (did you mean gas_price_cap?); known: eip1559_pricing, gas_limit_estimation, gas_price_cap, min_balance, private_transactions, whitelist_receivers, include_revert_data",
  ],
  [
    "an unknown member of a token",
    relayer(
      '"policies": {"allowed_tokens": [{"mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "decimal": 6}]}',
      SOLANA,
    ),
    "relayers.0.policies.allowed_tokens.0.decimal: unknown member (did you mean decimals?); known: mint, decimals, symbol, max_allowed_fee, swap_config",
  ],
  [
    "a policy of another kind",
    relayer('"policies": {"max_fee": 1}'),
    "relayers.0.policies.max_fee: unknown member; known: eip1559_pricing, gas_limit_estimation, gas_price_cap, min_balance, private_transactions, whitelist_receivers, include_revert_data",
  ],
  [
    "a policy named like the prototype",
    relayer('"policies": {"__proto__": {"min_balance": 1}}'),
    "relayers.0.policies.__proto__: unknown member; known: eip1559_pricing, gas_limit_estimation, gas_price_cap, min_balance, private_transactions, whitelist_receivers, include_revert_data",
  ],
  ["policies that are no object", relayer('"policies": []'), "relayers.0.policies: must be an object"],
  [
    "an exponent in a text",
    relayer('"policies": {"gas_price_cap": "1e11"}'),
    "relayers.0.policies.gas_price_cap 1e11: needs digits, optionally with a unit, e.g. 30gwei, 1.5gwei or 1500000000",
  ],
  [
    "an exponent in a number",
    relayer('"policies": {"gas_price_cap": 1e20}'),
    `relayers.0.policies.gas_price_cap 1e20: a whole number of wei from 0 to ${MOST}`,
  ],
  [
    "more decimals than the unit has",
    relayer('"policies": {"gas_price_cap": "1.0000000001gwei"}'),
    "relayers.0.policies.gas_price_cap 1.0000000001gwei: has more decimals than gwei (9 at most)",
  ],
  [
    "a mistyped unit",
    relayer('"policies": {"gas_price_cap": "80gwie"}'),
    "relayers.0.policies.gas_price_cap 80gwie: has an unknown unit (did you mean gwei?); known: wei, kwei, mwei, gwei, eth, ether",
  ],
  [
    "another coin than the network's",
    relayer('"policies": {"min_balance": "1pol"}'),
    "relayers.0.policies.min_balance 1pol: the coin of this network is ETH: 1eth",
  ],
  [
    "a coin on an unknown network",
    relayer('"policies": {"min_balance": "1eth"}').replace("sepolia", "chain-9"),
    "relayers.0.policies.min_balance 1eth: is in ETH, but the coin of this network is unknown; write the amount in gwei or wei",
  ],
  [
    "accounts that are both allowed and not",
    relayer(
      '"policies": {"allowed_accounts": ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"], "disallowed_accounts": ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"]}',
      SOLANA,
    ),
    "relayers.0.policies.disallowed_accounts: allowed_accounts and disallowed_accounts cannot be both present",
  ],
  [
    "a swap outside mainnet",
    relayer('"policies": {"swap_config": {"strategy": "jupiter-ultra"}}', SOLANA),
    "relayers.0.policies.swap_config.strategy: JupiterUltra strategy is only supported on mainnet-beta",
  ],
  [
    "no policies for Stellar",
    `{"relayers": [{${STELLAR}}]}`,
    "relayers.0.policies.fee_payment_strategy: Stellar policy is required. fee_payment_strategy is required",
  ],
  [
    "half a priority",
    relayer(
      '"policies": {"swap_config": {"strategy": "jupiter-swap", "jupiter_swap_options": {"priority_level": "high"}}}',
      SOLANA.replace("sepolia", "mainnet-beta"),
    ),
    "relayers.0.policies.swap_config.jupiter_swap_options.priority_fee_max_lamports: Priority Fee Max lamports must be set if priority level is set",
  ],
  [
    "a masked URL",
    relayer('"custom_rpc_urls": ["https://rpc.example.com/***"]'),
    `relayers.0.custom_rpc_urls.0: is masked by the service; write the URL itself, or \${hidden:https://rpc.example.com#1} to leave it as it is`,
  ],
  [
    "a hidden URL without its number",
    relayer(`"custom_rpc_urls": ["\${hidden:https://rpc.example.com}"]`),
    `relayers.0.custom_rpc_urls.0: a hidden URL is written with its origin and number: \${hidden:https://host#1}`,
  ],
  [
    "a URL that is no text",
    relayer('"custom_rpc_urls": [7]'),
    "relayers.0.custom_rpc_urls.0: must be a URL, or an object with url and weight; the service would ignore it silently",
  ],
  [
    "a URL of another scheme",
    relayer('"custom_rpc_urls": [{"url": "ws://SECRET"}]'),
    "relayers.0.custom_rpc_urls.0.url: Invalid URL scheme 'ws': only http and https are allowed",
  ],
  ["no URL", relayer('"custom_rpc_urls": ["SECRET"]'), "relayers.0.custom_rpc_urls.0.url: an http or https URL"],
  [
    "an unknown member of a URL",
    relayer('"custom_rpc_urls": [{"url": "https://a", "wieght": 1}]'),
    "relayers.0.custom_rpc_urls.0.wieght: unknown member (did you mean weight?); known: url, weight",
  ],
  [
    "an unknown member of a notification",
    notification('"urll": "SECRET"'),
    "notifications.0.urll: unknown member (did you mean url?); known: id, type, url, signing_key",
  ],
  [
    "an empty webhook URL",
    notification('"a": 1').replace("https://h", "").replace(', "a": 1', ""),
    "notifications.0.url: is empty: specify where deliveries go",
  ],
  [
    "no webhook URL",
    notification('"a": 1').replace("https://h", "SECRET").replace(', "a": 1', ""),
    "notifications.0.url: Invalid URL format: an absolute URL",
  ],
  [
    "an empty signing key",
    notification('"signing_key": ""'),
    "notifications.0.signing_key: is empty; leave it out to remove the key",
  ],
  ["a number as a signing key", notification('"signing_key": 12345'), "notifications.0.signing_key: must be a string"],
  [
    "another type of value",
    notification('"signing_key": {"type": "vault", "value": "SECRET"}'),
    "notifications.0.signing_key.type: one of plain, env",
  ],
  [
    "an unknown member of a value",
    notification('"signing_key": {"type": "plain", "value": "SECRET-of-at-least-thirty-two-bytes", "a": 1}'),
    "notifications.0.signing_key.a: unknown member; known: type, value",
  ],
  [
    "an unknown reference",
    notification(`"signing_key": "\${KEY}"`),
    `notifications.0.signing_key: has an unknown reference; known: \${env:NAME}, \${file:PATH}; $\${ stands for \${`,
  ],
  [
    "half a reference",
    notification(`"signing_key": "\${env:KEY"`),
    `notifications.0.signing_key: has a \${ without a }; $\${ stands for \${`,
  ],
  [
    "a hidden value inside a text",
    notification(`"signing_key": "a\${hidden:key}"`),
    `notifications.0.signing_key: \${hidden:…} stands only for a whole value that a service does not return`,
  ],
  [
    "a hidden value that a service returns",
    relayer('"notification_id": null').replace('"R"', `"\${hidden:name}"`),
    `relayers.0.name: \${hidden:…} stands only for a secret that the service does not return`,
  ],
  [
    "an unknown type of signer",
    signer("aws-kms", ""),
    "signers.0.type aws-kms: one of local, plain, aws_kms, azure_key_vault, vault, vault_transit, turnkey, cdp, google_cloud_kms (did you mean aws_kms?)",
  ],
  ["a missing member of a signer", signer("aws_kms", '"region": "eu"'), "signers.0.config.key_id: is required: Key ID"],
  [
    "an unknown member of a signer",
    signer("aws_kms", '"region": "eu", "key_id": "k", "keyid": "SECRET"'),
    "signers.0.config.keyid: unknown member (did you mean key_id?); known: region, key_id",
  ],
  [
    "a secret that is not base64",
    signer(
      "cdp",
      '"api_key_id": "a", "api_key_secret": "SECRET!", "wallet_secret": "YQ==", "account_address": "0x52908400098527886E0F7030069857D2E4169EE7"',
    ),
    "signers.0.config.api_key_secret: is not base64",
  ],
  [
    "a value of a variable where the service takes a text",
    signer("aws_kms", '"region": {"type": "env", "value": "KEY"}, "key_id": "k"'),
    "signers.0.config.region: must be a string",
  ],
  [
    "too little to sign in to Azure",
    signer("azure_key_vault", '"vault_url": "https://v", "key_name": "k", "tenant_id": "t", "client_id": "c"'),
    "signers.0.config.client_secret: is required to sign in with client_secret",
  ],
  [
    "an empty tenant of Azure",
    signer(
      "azure_key_vault",
      '"vault_url": "https://v", "key_name": "k", "tenant_id": {"type": "plain", "value": ""}, "client_id": "c", "client_secret": "s"',
    ),
    "signers.0.config.tenant_id: is required to sign in with client_secret",
  ],
  [
    "a keystore without passphrase",
    signer("local", '"path": "a"'),
    "signers.0.config.passphrase: is required: passphrase of the keystore",
  ],
  [
    "no config",
    '{"signers": [{"id": "s", "type": "aws_kms"}]}',
    "signers.0.config: is required: the members of its type",
  ],
  [
    "a short key",
    signer("plain", '"key": "SECRET"'),
    "signers.0.config.key: Invalid hex key format: not hex. Key must be a 64-character hex string (32 bytes).",
  ],
  ["no folder of networks", '{"networks": "./none"}', "networks: networks not compared; looked in none, ../none"],
  ["neither list nor folder", '{"networks": 1}', "networks: must be a list, or the path of a folder"],
  [
    "an unknown parent",
    '{"networks": [{"type": "evm", "network": "a", "from": "b"}]}',
    "networks.0.from b: the files describe no network of this name and type evm",
  ],
  [
    "a circle of parents",
    '{"networks": [{"type": "evm", "network": "a", "from": "b"}, {"type": "evm", "network": "b", "from": "a"}]}',
    "networks.0.from b: the network inherits from itself",
  ],
  [
    "a weight above 255",
    '{"networks": [{"type": "evm", "network": "a", "rpc_urls": [{"url": "https://a", "weight": 256}]}]}',
    "networks.0.rpc_urls.0.weight: a whole number from 0 to 255",
  ],
  [
    "no URLs of a network",
    '{"networks": [{"type": "evm", "network": "a", "rpc_urls": []}]}',
    "networks.0.rpc_urls: rpc_urls must contain at least one RPC endpoint",
  ],
  [
    "an unknown member of a network",
    '{"networks": [{"type": "evm", "network": "a", "chainid": 1}]}',
    "networks.0.chainid: unknown member; closest: chain_id, horizon_url, tags",
  ],
  [
    "a text as a number",
    '{"networks": [{"type": "evm", "network": "a", "chain_id": "1"}]}',
    "networks.0.chain_id 1: a whole number from 0 to 2^64−1",
  ],
  [
    "a timeout of 0",
    '{"plugins": [{"id": "p", "path": "p.ts", "timeout": 0}]}',
    "plugins.0.timeout 0: Timeout must be greater than 0, in whole seconds",
  ],
  [
    "an unknown member of a plugin",
    '{"plugins": [{"id": "p", "path": "p.ts", "emit_log": true}]}',
    "plugins.0.emit_log: unknown member (did you mean emit_logs?); known: id, path, timeout, emit_logs, emit_traces, raw_response, allow_get_invocation, forward_logs, config",
  ],
  [
    "a signer that is not in the files",
    `{"signers": [{"id": "s2", "type": "aws_kms", "config": {"region": "eu", "key_id": "k"}}], "relayers": [{${RELAYER}}]}`,
    "relayers.0.signer_id s: not among the signers of the files; known: s2",
  ],
  [
    "a notification that is not in the files",
    `{"notifications": [], "relayers": [{${RELAYER}, "notification_id": "n"}]}`,
    "relayers.0.notification_id n: not among the notifications of the files",
  ],
])("%s is refused with its place and the reason", async (_, text, problem) => {
  const sources = memorySources({ "c.json": text, empty: "\n" }, { EMPTY: "" });
  const problems = await problemsOf(readFleetFiles(["c.json"], sources));
  expect(problems.map((line) => line.replace(/^c\.json:\d+:\d+ ?/, "").replace(/^: /, ""))).toEqual([problem]);
  expect(problems[0]).toMatch(/^c\.json:1:\d+/);
  expect(problems.join()).not.toContain("SECRET");
});

test.each([
  ["a variable that is not set", '{"type": "env", "value": "MISSING"}', "set MISSING", ".value"],
  ["an empty variable", '{"type": "env", "value": "EMPTY"}', "set EMPTY", ".value"],
  ["an empty variable in a text", `"\${env:EMPTY}"`, "set EMPTY", ""],
  ["a file that does not exist", `"\${file:gone}"`, "create gone", ""],
  ["an empty file", `"\${file:empty}"`, "create empty", ""],
])("%s ends nothing where a secret can be left out, and anything else", async (_, value, fix, at) => {
  const sources = memorySources({ "c.json": notification(`"signing_key": ${value}`), empty: "\n" }, { EMPTY: "" });
  const { doubts, resources } = await readFleetFiles(["c.json"], sources);
  expect({ doubts, key: resources[0]?.fields.signing_key }).toEqual({ doubts: [], key: `\${hidden:${fix}}` });
  const path = `notifications.0.signing_key${at}`;
  const found = expect.objectContaining({ path, severity: "note", code: "not_set", fix });
  expect(await inspectFleet(["c.json"], sources)).toContainEqual(found);
  const named = memorySources(
    { "c.json": relayer(`"policies": {"min_balance": ${value}}`), empty: "\n" },
    { EMPTY: "" },
  );
  expect(await problemsOf(readFleetFiles(["c.json"], named))).toHaveLength(1);
});

test("everything wrong in every file is reported at once, file by file and from the top", async () => {
  const sources = memorySources({
    "a.json": `{\n"relayers": [\n{${RELAYER}, "custom_rpc_urls": [1],\n"policies": {"max": 1}},\n{}]}`,
    "b.yaml": "signers:\n  - {id: 1, type: aws_kms, config: {}}\n",
    "c.yaml": "a: *b",
    "d.json": "{",
  });
  const problems = await problemsOf(readFleetFiles(["a.json", "b.yaml", "c.yaml", "d.json", "e.json"], sources));
  expect(problems.map((problem) => problem.split(": ")[0])).toEqual([
    "a.json:3:88 relayers.0.signer_id s",
    "a.json:3:126 relayers.0.custom_rpc_urls.0",
    "a.json:4:14 relayers.0.policies.max",
    ...["id", "name", "network", "network_type", "signer_id", "paused"].map((name) => `a.json:5:1 relayers.1.${name}`),
    "b.yaml:2:6 signers.0.id 1",
    ...["region", "key_id"].map((name) => `b.yaml:2:28 signers.0.config.${name}`),
    ...["c.yaml:1:4", "d.json:1:2", "e.json"],
  ]);
});

test("an ID that is used twice is reported with both places, also across files", async () => {
  const hook = '{"id": "n", "type": "webhook", "url": "https://h"}';
  const sources = memorySources({
    "a.json": `{"notifications": [\n${hook}]}`,
    "b.json": `{"notifications": [\n\n${hook}],\n"networks": [{"type": "evm", "network": "a"}, {"type": "evm", "network": "A"}]}`,
  });
  expect(await problemsOf(readFleetFiles(["a.json", "b.json"], sources))).toEqual([
    "b.json:3:2 notifications.0.id n: already used at a.json:2:2",
    "b.json:4:63 networks.1.network A: already used at b.json:4:30",
  ]);
});

test("a YAML value that should be a text is reported with the way to write it", async () => {
  const yaml = "notifications:\n  - {id: 12, type: webhook, url: https://h}\n  - {id: ok, type: webhook, url: true}";
  expect(await problemsOf(fleetOf(yaml, { file: "f.yaml" }))).toEqual([
    "f.yaml:2:6 notifications.0.id 12: must be a string; put it in quotes",
    "f.yaml:3:29 notifications.1.url: must be a string; put it in quotes",
  ]);
});

test("a file that is too large or not UTF-8 is reported with its name, together with all others", async () => {
  const sources = memorySources({ "a.json": "[]" });
  const read = async (path: string) => {
    if (path === "huge.json") throw usageError([{ where: path, rule: "is larger than 33554432 bytes" }]);
    return await sources.read(path);
  };
  expect(await problemsOf(readFleetFiles(["huge.json", "a.json"], { ...sources, read }))).toHaveLength(2);
});

test.each<[what: string, text: string, warnings: string[]]>([
  [
    "an amount that the service could not read from this file",
    relayer('"policies": {"gas_price_cap": 18446744073709551616, "min_balance": 18446744073709551615}'),
    [
      "1:133 policies.gas_price_cap: a service reads no integer above 2^64−1 (18446744073709551615) from its config file, although its API accepts it",
    ],
  ],
  [
    "a strategy that the service could not read from this file",
    relayer('"policies": {"swap_config": {"strategy": "noop"}}', SOLANA),
    [
      "1:152 policies.swap_config.strategy: a service does not read noop from its config file, although its API accepts it",
    ],
  ],
  [
    "metadata that the service could not read from this file",
    relayer(
      '"policies": {"fee_payment_strategy": "user", "allowed_tokens": [{"asset": "native", "metadata": {"kind": "native", "decimals": 7, "canonical_asset_id": "native"}}]}',
      STELLAR,
    ),
    [
      "1:208 policies.allowed_tokens.0.metadata: a service does not read the metadata of a token from its config file, although its API accepts it",
    ],
  ],
  [
    "a short signing key",
    notification('"signing_key": "SECRET"'),
    ["1:71 the signing key is shorter than 32 bytes, which services refuse"],
  ],
  [
    "a URL that no delivery reaches",
    notification('"a": 1').replace("https://h", "ftp://h/SECRET").replace(', "a": 1', ""),
    ["1:51 a service delivers only to http and https URLs"],
  ],
  [
    "a network that the files do not describe",
    `{"networks": [{"type": "evm", "network": "a"}], "relayers": [{${RELAYER}}]}`,
    ['1:87 network "sepolia" of type evm is not among the networks of the files'],
  ],
])("%s: a warning", async (_, text, warnings) => {
  const fleet = await fleetOf(text);
  expect(fleet.warnings.map(({ place, text }) => `${place.line}:${place.column} ${text}`)).toEqual(warnings);
});

test.each([
  ["an empty object", "{}", "has no list of a fleet"],
  ["another file", '{"name": "package"}', "has no list of a fleet"],
  [
    "a saved plan",
    '{"changes": [], "checksum": "sha256:00"}',
    "is a saved plan, which `relayctl apply` takes without --file",
  ],
])("%s is refused: every service would be as it describes", async (_, text, rule) => {
  const rest = "; a fleet has notifications, signers, networks, plugins, relayers";
  expect(await problemsOf(fleetOf(text))).toEqual([`config.json:1:1: ${rule}${rest}`]);
});

test.each([
  ["at the top", `{"relayer": [], "relayers": [{${RELAYER}}]}`, "relayer", "relayers"],
  ["of a relayer", relayer('"notificationid": "n"'), "relayers.0.notificationid", "notification_id"],
  ["of a relayer that lacks it", relayer('"nam": "R"', RELAYER.replace('"name"', '"id2"')), "relayers.0.nam", "name"],
  ["of a policy", relayer('"policies": {"min_balanc": 1}'), "relayers.0.policies.min_balanc", "min_balance"],
  [
    "of a URL",
    relayer('"custom_rpc_urls": [{"url": "https://a", "wieght": 1}]'),
    "relayers.0.custom_rpc_urls.0.wieght",
    "weight",
  ],
  ["of a notification", notification('"urls": 1'), "notifications.0.urls", "url"],
  ["of a signer", signer("aws_kms", '"region": "eu", "key_id": "k", "keyid": 1'), "signers.0.config.keyid", "key_id"],
  ["of a network", '{"networks": [{"type": "evm", "network": "a", "chainid": 1}]}', "networks.0.chainid", "chain_id"],
  [
    "of a status check",
    '{"networks": [{"type": "evm", "network": "a", "status_check": {"initial_delay_seconds": 1, "retry_delay_second": 5}}]}',
    "networks.0.status_check.retry_delay_second",
    "retry_delay_seconds",
  ],
  ["of a plugin", '{"plugins": [{"id": "p", "path": "p.ts", "emit_log": true}]}', "plugins.0.emit_log", "emit_logs"],
])(
  "an unknown member %s is refused with the nearest name, and left out with --allow-unknown",
  async (_, text, path, meant) => {
    const refused = await fleetOf(text).catch((error: unknown) => error);
    const found = (refused as RelayctlError).details.find(({ where }) => where.endsWith(` ${path}`));
    expect(found?.rule).toContain(meant);
    expect(refused).toMatchObject({ exitCode: 2, because: [expect.stringContaining("--allow-unknown")] });
    const sources = { ...memorySources({ "c.json": text }), allowsUnknown: true };
    const fleet = await readFleetFiles(["c.json"], sources).catch(() => undefined);
    const notes = fleet?.warnings.map(({ text, isNote }) => [text, isNote]);
    if (!text.includes("id2")) expect(notes).toContainEqual([`not compared: ${path} is unknown to relayctl 0.1`, true]);
    const name = path.slice(path.lastIndexOf(".") + 1);
    expect(JSON.stringify(fleet?.resources.map(({ fields }) => fields) ?? [])).not.toContain(`"${name}"`);
  },
);
