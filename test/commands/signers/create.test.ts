// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are for a shell to expand
import { SIGNER_TYPES, type SignerType } from "../../../src/contract/resources/signer.ts";
import { cli, ends, exits, SERVER, says, TOKEN, type World } from "../../helpers/cli.ts";
import { createdIn } from "../../helpers/receipts.ts";
import { GENERATED_KEY } from "../../helpers/scan.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { argvUnderSh } from "../../helpers/shell.ts";

const KEY = "5f".repeat(32);
const ACCOUNT = {
  type: "service_account",
  project_id: "project",
  private_key_id: "canary-private-key-id",
  private_key: "-----BEGIN PRIVATE KEY-----\ncanary-private-key\n-----END PRIVATE KEY-----\n",
  client_email: "canary-client@project.iam.gserviceaccount.com",
  client_id: "100",
  auth_uri: "https://accounts.google.com/o/oauth2/auth",
  token_uri: "https://oauth2.googleapis.com/token",
  auth_provider_x509_cert_url: "https://www.googleapis.com/oauth2/v1/certs",
  client_x509_cert_url: "https://www.googleapis.com/robot/v1/metadata/x509/relayer",
  universe_domain: "googleapis.com",
};

const files: Record<string, string> = {
  key: `${KEY}\n`,
  client: "canary-client-secret",
  role: "canary-role-id",
  secret: "canary-secret-id\n",
  api: "canary-api-private-key",
  "api-secret": "Y2FuYXJ5LWFwaS1zZWNyZXQ=",
  wallet: "Y2FuYXJ5LXdhbGxldC1zZWNyZXQ=",
  "account.json": JSON.stringify(ACCOUNT),
};
const SECRETS = [
  KEY,
  ...Object.values(files).filter((text) => !text.includes("{")),
  "canary-private-key",
  "canary-client",
];
const world = { files };

const VAULT = "--address https://vault.example.org --key-name relayer --role-id-file role --secret-id-file secret";
const { type: _, ...account } = ACCOUNT;

const LINES: Record<SignerType, readonly [line: string, config: object]> = {
  plain: ["--key-file key", { key: KEY }],
  aws_kms: ["--region eu-west-1 --key-id k1", { region: "eu-west-1", key_id: "k1" }],
  azure_key_vault: [
    "--vault-url https://v.vault.azure.net --key-name k --key-version 7 --auth-type client_secret --tenant-id t --client-id c --client-secret-file client --federated-token-file /var/token",
    {
      vault_url: "https://v.vault.azure.net",
      key_name: "k",
      key_version: "7",
      auth_type: "client_secret",
      tenant_id: "t",
      client_id: "c",
      federated_token_file: "/var/token",
      client_secret: "canary-client-secret",
    },
  ],
  vault: [
    `${VAULT} --namespace n --mount-point m`,
    {
      address: "https://vault.example.org",
      key_name: "relayer",
      namespace: "n",
      mount_point: "m",
      role_id: "canary-role-id",
      secret_id: "canary-secret-id",
    },
  ],
  vault_transit: [
    `${VAULT} --pubkey 0x02a1`,
    {
      address: "https://vault.example.org",
      key_name: "relayer",
      pubkey: "0x02a1",
      role_id: "canary-role-id",
      secret_id: "canary-secret-id",
    },
  ],
  turnkey: [
    "--api-public-key 02aa --api-private-key-file api --organization-id o --private-key-id p --public-key 02bb",
    {
      api_public_key: "02aa",
      organization_id: "o",
      private_key_id: "p",
      public_key: "02bb",
      api_private_key: "canary-api-private-key",
    },
  ],
  cdp: [
    "--api-key-id k --api-key-secret-file api-secret --wallet-secret-file wallet --account-address 0x8ba1f109551bd432803012645ac136ddd64dba72",
    {
      api_key_id: "k",
      account_address: "0x8ba1f109551bd432803012645ac136ddd64dba72",
      api_key_secret: files["api-secret"],
      wallet_secret: files.wallet,
    },
  ],
  google_cloud_kms: [
    "--service-account-file account.json --location europe-west1 --key-ring-id r --key-id k --key-version 4294967295",
    {
      key: { location: "europe-west1", key_ring_id: "r", key_id: "k", key_version: 4294967295 },
      service_account: account,
    },
  ],
};

describe.each(SIGNER_TYPES)("a signer of type %s", (type) => {
  const [flags, config] = LINES[type];
  const line = `signers create --type ${type} --id new-1 ${flags}`;

  test("is created with every field, without printing its secrets", async () => {
    const { stderr, stdout, writes } = await exits(0, `${line} --verbose -o json`, world);
    expect(JSON.parse(writes[0]?.body ?? "")).toEqual({ id: "new-1", type, config });
    expect(JSON.parse(stdout)).toMatchObject({ id: "new-1", type: type === "plain" ? "local" : type });
    for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret.trim());
  });

  test.each(["--dry-run", "--curl"])("is shown with %s, with variables for its secrets", async (how) => {
    const { stderr, stdout } = await ends({ exitCode: 0, requests: [] }, `${line} ${how}`, world);
    for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret.trim());
  });
});

test("the curl command of a signer sends the same once its variables are set", async () => {
  const { stdout } = await cli(`signers create --type vault --id new-1 ${VAULT} --curl`, world);
  const variables = { RELAYCTL_TOKEN: TOKEN, CONFIG_ROLE_ID: "canary-role-id", CONFIG_SECRET_ID: "canary-secret-id" };
  const sent = (await cli(`signers create --type vault --id new-1 ${VAULT}`, world)).writes[0];
  const argv = argvUnderSh("curl", stdout, variables);
  expect(argv.at(-1)).toBe(sent?.body);
  expect(argv).toContain(`${SERVER}/api/v1/signers`);
});

test("generates an ID if there is none", async () => {
  const { writes, stderr } = await cli("signers create --type aws_kms --region r --key-id k", world);
  expect(writes[0]?.body).toMatch(/"id":"00000000-0000-4000-8000-\d{12}"/);
  expect(stderr).toContain(createdIn(SERVER));
});

test("exits with 6 for an ID in use, and sends nothing", () =>
  says(
    { exitCode: 6, writes: [] },
    "signers create --type plain --id old-key --key-file key",
    "a signer with the id old-key already exists",
    world,
  ));

test("lists unconfirmed fields without their values", async () => {
  const { stderr } = await cli("signers create --type plain --key-file key", world);
  expect(stderr).toContain("note: not confirmed by the response: config.key");
});

describe("from a file", () => {
  const whole = JSON.stringify({ id: "f-1", type: "plain", config: { key: KEY } });

  test("the whole body is sent, with its secrets hidden", async () => {
    const { stdout, stderr, writes } = await exits(0, "signers create -f - --verbose", { ...world, stdin: whole });
    expect(writes[0]?.body).toBe(whole);
    expect(stdout + stderr).not.toContain(KEY);
    const shown = await cli("signers create -f - -n", { ...world, stdin: whole });
    expect(shown.stdout).toContain('"config":{"key":"${CONFIG_KEY:?}"}');
    const asked = await cli("api POST /signers -f - -n", { ...world, stdin: whole });
    expect(asked.stdout).toContain('"config":{"key":"${CONFIG_KEY:?}"}');
  });

  test("a null ID is replaced by a generated one", async () => {
    const { writes } = await cli("signers create -f -", { ...world, stdin: whole.replace('"f-1"', "null") });
    expect(JSON.parse(writes[0]?.body ?? "{}")).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test("flags override fields, even inside the key", async () => {
    const stdin = JSON.stringify({
      type: "google_cloud_kms",
      config: { key: { location: "a", key_ring_id: "b", key_id: "c", key_version: 1 }, service_account: account },
    });
    const { writes, stderr } = await cli("signers create -f - --id g-1 --key-version 2", { ...world, stdin });
    expect(JSON.parse(writes[0]?.body ?? "{}").config?.key, stderr).toEqual({
      location: "a",
      key_ring_id: "b",
      key_id: "c",
      key_version: 2,
    });
  });
});

describe("invalid input is reported before any request, by flag and without secrets", () => {
  const bad = async (line: string, more: Record<string, string> = {}) => {
    const ran = await cli(`signers create ${line}`, { ...world, files: { ...files, ...more } });
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    return ran.stderr;
  };

  test.each([
    ["--id x", ["--type: is required"]],
    ["--type plane --key-file key", ["--type plane: one of plain", "(did you mean plain?)"]],
    ["--type plain", ["--key-file: is required for a signer of type plain"]],
    ["--type plain --key-file key --region r", ["--region: does not apply to signers of type plain, only to aws_kms"]],
    ["--type aws_kms", ["--region: is required", "--key-id: is required"]],
    ["--type aws_kms --region '' --key-id k", ["--region (empty): cannot be empty"]],
    [
      "--type vault --key-name k --role-id-file role --secret-id-file secret --address vault",
      ["--address vault: an absolute URL"],
    ],
    [
      "--type plain --key-file key --id 'a b'",
      ["--id a b: ID must contain only letters, numbers, dashes and underscores"],
    ],
    [`--type plain --key-file key --id ${"x".repeat(37)}`, ["ID must not exceed 36 characters"]],
    [
      "--type azure_key_vault --vault-url https://v --key-name k --auth-type magic",
      ["--auth-type magic: one of client_secret"],
    ],
    [
      "--type azure_key_vault --vault-url https://v --key-name k",
      ["--tenant-id: is required to sign in with client_secret", "--client-secret-file: is required to sign in"],
    ],
    [
      "--type cdp --api-key-id k --api-key-secret-file client --wallet-secret-file wallet --account-address 0x12",
      ["--api-key-secret-file: is not base64", "--account-address 0x12: an address has 40 hex digits"],
    ],
    [
      "--type google_cloud_kms --service-account-file account.json --location l --key-ring-id r --key-id k --key-version 4294967296",
      ["--key-version 4294967296: a whole number from 0 to 4294967295"],
    ],
    [
      "--type google_cloud_kms --service-account-file key --location l --key-ring-id r --key-id k --key-version 1",
      ["key: is not JSON"],
    ],
  ])("%s", async (line, told) => {
    const stderr = await bad(line);
    for (const words of told) expect(stderr).toContain(words);
  });

  test.each([
    [`0x${KEY}`, "is written without 0x"],
    ["ab", "Raw key must be exactly 32 bytes, got 1 bytes"],
    ["abc", "Invalid hex key format: an odd number of digits. Key must be a 64-character hex string (32 bytes)."],
    ["0".repeat(64), "cannot be all zeros"],
    ["", "the file is empty"],
  ])("rejects a key of %s", async (key, rule) => {
    const stderr = await bad("--type plain --key-file bad", { bad: key });
    expect(stderr).toContain(rule);
    if (key.length > 8) expect(stderr).not.toContain(key);
  });

  test("rejects an account with missing, invalid, and unknown fields", async () => {
    const flags = "--location l --key-ring-id r --key-id k --key-version 1 --service-account-file bad";
    const { private_key: __, ...rest } = ACCOUNT;
    const stderr = await bad(`--type google_cloud_kms ${flags}`, {
      bad: JSON.stringify({ ...rest, auth_uri: "nowhere", more: 1 }),
    });
    expect(stderr).toContain("--service-account-file (private_key): must be a string");
    expect(stderr).toContain("--service-account-file (auth_uri) nowhere: an absolute URL");
    expect(stderr).toContain("--service-account-file: has an unknown field: more");
  });
});

describe("prompts", () => {
  test("for the type, its fields, and its secrets without echo, and prints no secret", async () => {
    const { stderr, questions, writes } = await exits(0, "signers create", {
      ...world,
      terminal: true,
      answers: ["vault", "https://vault.example.org", "relayer", "canary-role-id", "canary-secret-id"],
    });
    expect(questions).toEqual([
      "What holds the key:",
      "Vault URL:",
      "Key name:",
      "AppRole role ID (hidden):",
      "AppRole secret ID (hidden):",
    ]);
    expect(JSON.parse(writes[0]?.body ?? "{}").config).toEqual({
      address: "https://vault.example.org",
      key_name: "relayer",
      role_id: "canary-role-id",
      secret_id: "canary-secret-id",
    });
    expect(stderr).not.toContain("canary");
  });

  test("for optional fields with -i", async () => {
    const { questions, writes, stderr } = await cli("signers create -i --type azure_key_vault", {
      ...world,
      terminal: true,
      answers: ["", "https://v.vault.azure.net", "k", "", "managed_identity", "", "", ""],
    });
    expect(questions).toContain("How the service signs in:");
    expect(JSON.parse(writes[0]?.body ?? "{}").config, stderr).toEqual({
      vault_url: "https://v.vault.azure.net",
      key_name: "k",
      auth_type: "managed_identity",
    });
    expect(stderr).toContain("without questions: relayctl signers create --type azure_key_vault --vault-url");
  });

  test("for an ID with -i, and prints a command with variables for secrets", async () => {
    const { stderr, writes } = await exits(0, "signers create -i --type plain", {
      ...world,
      terminal: true,
      answers: ["hot-3", KEY],
    });
    expect(JSON.parse(writes[0]?.body ?? "{}").id).toBe("hot-3");
    expect(stderr).toContain(
      'without questions: relayctl signers create --type plain --id hot-3 --key-file "${KEY_FILE:?}"\n',
    );
  });

  test("for nothing if a flag is invalid", async () => {
    const ran = await cli("signers create --type plain --region r", { ...world, terminal: true });
    expect(ran).toMatchObject({ exitCode: 2, questions: [], requests: [] });
  });
});

describe("a generated key", () => {
  const GENERATE = "signers create --type plain --id hot-2 --generate --key-out hot-2.key";

  test("is in its new file before it is sent, and printed nowhere", async () => {
    const created = new Map<string, string>();
    const onDisk: boolean[] = [];
    const service: World["service"] = async ({ method }) => {
      if (method === "POST") onDisk.push(created.has("hot-2.key"));
      return method === "POST" ? success({ id: "hot-2", type: "local" }) : reply(404, { success: false, error: "no" });
    };
    const ran = await cli(`${GENERATE} -vv`, { created, service });
    expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "POST", target: "/api/v1/signers" }] });
    expect(onDisk).toEqual([true]);
    expect([...created]).toEqual([["hot-2.key", GENERATED_KEY]]);
    expect(ran.stderr).toContain("the key is in hot-2.key, and nowhere else");
    expect(ran.stdout + ran.stderr).not.toContain(GENERATED_KEY);
  });

  test("is not sent without its file, and stays in it if the service refuses it", async () => {
    await ends({ exitCode: 74, stdout: "", writes: [] }, `${GENERATE} --demo`);
    const created = new Map<string, string>();
    const service: World["service"] = async ({ method }) =>
      reply(method === "POST" ? 400 : 404, { success: false, error: "no" });
    const refused = await exits(7, GENERATE, { created, service });
    expect(refused.stderr).toContain("the new key stays in hot-2.key; the service does not use it");
    expect(refused.stderr).toContain("signers create --type plain --id hot-2 --key-file hot-2.key");
    const again = await ends({ writes: [] }, GENERATE, { created, service });
    expect(again.exitCode).not.toBe(0);
  });

  test("must be kept if it is unknown whether the service uses it", async () => {
    const service: World["service"] = async ({ method }) =>
      reply(method === "POST" ? 500 : 404, { success: false, error: "no" });
    await says(11, GENERATE, "keep the new key in hot-2.key: the service may use it", { created: new Map(), service });
  });

  test.each([
    ["--type plain --generate", "--key-out: is required"],
    ["--type plain --key-out x", "--key-out: requires --generate"],
    ["--type plain --generate --key-out -", "a key is never printed"],
    ["--type plain --key-file key --generate --key-out x", "--generate: cannot be combined with --key-file"],
    [
      "--type aws_kms --region a --key-id b --generate --key-out x",
      "--generate: only makes keys of signers of type plain",
    ],
  ])("is refused with %s", async (flags, problem) => {
    const created = new Map<string, string>();
    const ran = await cli(`signers create ${flags}`, { files, created });
    expect(ran).toMatchObject({ exitCode: 2, requests: [], stderr: expect.stringContaining(problem) });
    expect(created.size).toBe(0);
  });

  test("is neither made nor shown in a dry run", async () => {
    const created = new Map<string, string>();
    const ran = await cli(`${GENERATE} --curl`, { created });
    expect(ran).toMatchObject({ exitCode: 0, requests: [], stdout: expect.stringContaining("${CONFIG_KEY:?}") });
    expect(created.size).toBe(0);
  });
});
