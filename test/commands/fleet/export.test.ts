import { parseJson } from "../../../src/contract/json.ts";
import { serviceOf } from "../../fleet/export/live-service.ts";
import { cli, ends, exits, SERVER, says, TOKEN } from "../../helpers/cli.ts";
import { liveFleet } from "../../helpers/fleet.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { interfaceService } from "../../helpers/service/interface-service.ts";
import { realService } from "../../helpers/service/real-service.ts";

describe("export", () => {
  test("writes the fleet as YAML, the same at every run", async () => {
    const { stdout } = await ends({ exitCode: 0, stderr: "", writes: [] }, "export");
    expect(stdout).toMatch(/^# A fleet of relayers/);
    expect(stdout).toContain("gas_price_cap: 80gwei\n");
    expect(stdout).toContain("gas_price_cap: 340282366920938463463374607431768211455\n");
    expect(stdout).toContain(`signing_key: \${hidden:key}\n`);
    expect((await cli("export -o yaml")).stdout).toBe(stdout);
  });

  test("writes amounts as integers of JSON", async () => {
    const { stdout } = await cli("export -o json");
    expect(stdout).toContain('"gas_price_cap": 80000000000,\n');
    expect(stdout).toContain('"gas_price_cap": 340282366920938463463374607431768211455,\n');
  });

  test("writes RPC URLs of networks only if the user asks for them", async () => {
    const network = (text: string) => /rpc_urls:\n +- (.*polygon.*)\n/.exec(text)?.[1];
    expect(network((await cli("export")).stdout)).toBe(`\${hidden:https://evm-polygon.rpc.example.org#1}`);
    expect(network((await cli("export --show-urls")).stdout)).toMatch(/^https:\/\/evm-polygon\.rpc\.example\.org\/.+/);
    expect((await cli("export --show-urls")).stdout).toContain(`- \${hidden:https://base.rpc.example.org#1}`);
  });

  test("leaves out what an older service does not list, and says so", async () => {
    const { stdout, stderr } = await exits(0, "export -o json", { service: interfaceService({ token: TOKEN }) });
    expect(Object.keys(parseJson(stdout) as object)).toEqual(["notifications", "relayers"]);
    expect(stderr).toBe(
      "note: this service has no route for signers, networks, plugins, so the export does not contain them\n",
    );
  });

  test.each([
    ["-o tsv", "-o tsv: an export is written as yaml or json"],
    ["--fields id", "--fields id: this result has no known fields"],
    ["--query relayers", "--query: needs -o json or -o yaml"],
  ])("refuses %s", (flags, problem) => says({ exitCode: 2, requests: [] }, `export ${flags}`, problem));

  test("prints the request of a dry run, and sends nothing", async () => {
    const { stdout, requests } = await cli("export --dry-run");
    expect(stdout).toContain("GET /api/v1/relayers");
    expect(requests).toEqual([]);
  });

  /** Service v1.0, which only has relayers, and does not return their signers (facts 4.1). */
  function v1_0() {
    const relayer = {
      name: "Main",
      network: "mainnet",
      network_type: "evm",
      paused: false,
      policies: { min_balance: 5 },
    };
    return serviceOf(liveFleet({ relayers: { main: relayer } }, ["notifications", "signers", "networks", "plugins"]));
  }

  test.each([
    ["the real service", realService],
    ["service v1.0", v1_0],
  ])("a plan of an export of %s finds no difference", async (_, service) => {
    for (const [path, flags] of [
      ["fleet.yaml", ""],
      ["fleet.yaml", "--show-urls"],
      ["fleet.json", "-o json"],
    ] as const) {
      const world = { service: service() };
      const files = { [path]: (await cli(`export ${flags}`, world)).stdout };
      await ends({ exitCode: 0, stdout: "" }, `plan -f ${path}`, { ...world, files });
      expect((await cli(`export -f ${path}`, { ...world, files })).stderr).toContain(`${path} is up to date\n`);
    }
  });
});

const ENV = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
const KEY = "a-signing-key-of-more-than-32-characters";

test.each([
  ["fleet.yaml", ""],
  ["fleet.json", "warning: fill in the hidden values of fleet.json before a service starts with it\n"],
])("creates %s, which then is up to date and has no difference", async (path, warning) => {
  const files: Record<string, string> = {};
  const store = demoStore();
  const { exitCode, stdout, stderr } = await cli(`export -f ${path}`, { files, store });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: "", stderr: `created ${path}\n${warning}` });
  const text = files[path];
  expect((await cli(`export -f ${path}`, { files, store })).stderr).toMatch(
    new RegExp(`^(warning: .+\n)?${path} is up`),
  );
  expect(files[path]).toBe(text);
  expect(await cli(`plan -f ${path}`, { files, store })).toMatchObject({ exitCode: 0, stdout: "" });
});

const LIVE = {
  notifications: {
    hook: { type: "webhook", url: "https://hooks.example.org/new", has_signing_key: true },
    added: { type: "webhook", url: "https://hooks.example.org/added", has_signing_key: false },
  },
  relayers: {
    main: {
      name: "Main",
      network: "mainnet",
      network_type: "evm",
      paused: true,
      signer_id: "kms",
      custom_rpc_urls: [
        { url: "https://a.example.org/***", weight: 70 },
        { url: "https://b.example.org", weight: 100 },
      ],
      policies: {
        min_balance: 1,
        gas_price_cap: 90_000_000_000,
        whitelist_receivers: [
          "0x8617e340b3d01fa5f11f306f4090fd50e238070d",
          "0x52908400098527886e0f7030069857d2e4169ee7",
        ],
      },
    },
  },
};

const YAML = `# The fleet of the payments team.
notifications:
  - id: hook
    type: webhook
    url: https://hooks.example.org/old # to be moved
    signing_key: \${env:HOOK_KEY}
  # Gone since May.
  - {id: gone, type: webhook, url: https://hooks.example.org/gone}

relayers:
  - id: main
    name: \${env:NAME}
    network: mainnet
    network_type: evm
    paused: false   # by hand
    signer_id: kms
    custom_rpc_urls:
      # the contract is with A
      - https://a.example.org/v2/${KEY}
    policies:
      gas_price_cap: "80gwei"
      whitelist_receivers:
        - 0x8617E340B3D01FA5F11F306F4090FD50E238070D # treasury
        - "0xde709f2102306220921060314715629080e2fb77" # left
`;

const UPDATED = `# The fleet of the payments team.
notifications:
  - id: hook
    type: webhook
    url: https://hooks.example.org/new # to be moved
    signing_key: \${env:HOOK_KEY}
  - id: added
    type: webhook
    url: https://hooks.example.org/added

relayers:
  - id: main
    name: \${env:NAME}
    network: mainnet
    network_type: evm
    paused: true   # by hand
    signer_id: kms
    custom_rpc_urls:
      # the contract is with A
      - url: https://a.example.org/v2/${KEY}
        weight: 70
      - https://b.example.org
    policies:
      gas_price_cap: 90gwei
      whitelist_receivers:
        - 0x8617E340B3D01FA5F11F306F4090FD50E238070D # treasury
        - "0x52908400098527886e0f7030069857d2e4169ee7"
`;

test("changes what differs in YAML, and keeps the rest, its comments, secrets, and references", async () => {
  const files: Record<string, string> = { "fleet.yaml": YAML };
  const world = { files, service: serviceOf(liveFleet(LIVE)), env: { ...ENV, HOOK_KEY: KEY, NAME: "Other" } };
  const { stderr } = await ends({ exitCode: 0, stdout: "" }, "export -f fleet.yaml", world);
  expect(files["fleet.yaml"]).toBe(UPDATED);
  expect(stderr).not.toContain(KEY);
  expect(stderr).toMatch(/^- notification gone\n~ notification hook\n {4}url {2}\S+old → \S+new\n~ relayer main\n/);
  expect(stderr).toContain("    gas_price_cap        80 gwei → 90 gwei\n");
  expect(stderr).toMatch(
    /\n\+ notification added\nnote: fleet\.yaml:13:5: name of relayer main differs from the service; its reference stays\nupdated fleet\.yaml\n$/,
  );
  const again = await cli("export -f fleet.yaml", world);
  expect(again.stderr).toContain("fleet.yaml is up to date\n");
  expect(files["fleet.yaml"]).toBe(UPDATED);
});

const WORLD = { service: serviceOf(liveFleet(LIVE)), env: { ...ENV, HOOK_KEY: KEY, NAME: "Main" } };

test("prints the new text of a dry run without its secrets, and writes nothing", async () => {
  const key = "key-of-a-provider-0123456789";
  const yaml = YAML.replace(KEY, key);
  const files: Record<string, string> = { "fleet.yaml": yaml };
  const { exitCode, stdout, stderr } = await cli("export -f fleet.yaml --dry-run", { ...WORLD, files });
  expect({ exitCode, files }).toEqual({ exitCode: 0, files: { "fleet.yaml": yaml } });
  expect(stdout).toBe(UPDATED.replace(KEY, "‹redacted›"));
  expect(stderr).not.toContain(key);
  expect(stderr).toContain("dry run: fleet.yaml would have the text below\n");
  const without = (text: string) => text.replace("env:HOOK_KEY", "hidden:key");
  const shown = await cli("export -f fleet.yaml --dry-run", { ...WORLD, files: { "fleet.yaml": without(YAML) } });
  expect(shown.stdout).toBe(without(UPDATED).replace(KEY, "‹redacted›"));
});

test("changes each resource in the file that has it, and writes no other file", async () => {
  const relayers = YAML.slice(YAML.indexOf("relayers:"));
  const same = "plugins: []\n";
  const files: Record<string, string> = {
    "hooks.json":
      '{"notifications": [{"id": "hook", "type": "webhook", "url": "https://hooks.example.org/old", "signing_key": {"type": "env", "value": "HOOK_KEY"}}]}',
    "relayers.yaml": relayers,
    "plugins.yaml": same,
  };
  const { stderr } = await exits(0, "export -f hooks.json relayers.yaml plugins.yaml", {
    ...WORLD,
    files,
    service: serviceOf(liveFleet({ ...LIVE, plugins: {} })),
  });
  expect(files["hooks.json"]).toBe(
    '{"notifications": [{"id": "hook", "type": "webhook", "url": "https://hooks.example.org/new", "signing_key": {"type": "env", "value": "HOOK_KEY"}}, {"id": "added", "type": "webhook", "url": "https://hooks.example.org/added"}]}',
  );
  expect(files["relayers.yaml"]).toBe(UPDATED.slice(UPDATED.indexOf("relayers:")));
  expect(files["plugins.yaml"]).toBe(same);
  expect(stderr).toMatch(/\nplugins\.yaml is up to date\nupdated hooks\.json\nupdated relayers\.yaml\n$/);
});

test("leaves the files of a folder of networks as they are, and says how many differ", async () => {
  const network = { name: "mainnet", network_type: "evm", chain_id: 1, rpc_urls: [{ url: "https://a", weight: 100 }] };
  const service = serviceOf(liveFleet({ networks: { "evm:mainnet": network } }));
  const folder = '{"networks": [{"type": "evm", "network": "mainnet", "chain_id": 5, "rpc_urls": ["https://a"]}]}';
  const files = { "config.json": '{"networks": "./networks"}', "networks/evm.json": folder };
  const { exitCode, stderr } = await cli("export -f config.json", { env: ENV, files, service });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr:
      "note: 1 network differs from the service in a folder of networks, whose files stay as they are\nconfig.json is up to date\n",
  });
  expect(files["networks/evm.json"]).toBe(folder);
});

test("shows a resource that is gone as removed, and not as changed, although it has a signer", async () => {
  const gone = `- {id: gone, name: Gone, network: mainnet, network_type: evm, paused: false, signer_id: kms}`;
  const files = { "fleet.yaml": YAML.replace("relayers:\n", `relayers:\n  ${gone}\n`) };
  const ran = await cli("export -f fleet.yaml --dry-run", { ...WORLD, files });
  const lines = ran.stderr.split("\n");
  expect(lines.filter((line) => line.includes("relayer gone"))).toEqual(["- relayer gone"]);
  expect(ran.stderr).not.toContain("signer_id");
});

test("removes a key that the notification no longer has, and adds a placeholder for a new one", async () => {
  const hook = (hasKey: boolean) => ({ type: "webhook", url: "https://h.example.org", has_signing_key: hasKey });
  const text = (key: string) => `notifications:\n  - id: a\n    type: webhook\n    url: https://h.example.org${key}\n`;
  const update = async (key: string, hasKey: boolean) => {
    const files: Record<string, string> = { "f.yaml": text(key) };
    await cli("export -f f.yaml", {
      env: ENV,
      files,
      service: serviceOf(liveFleet({ notifications: { a: hook(hasKey) } })),
    });
    return files["f.yaml"];
  };
  expect(await update(`\n    signing_key: ${KEY}`, false)).toBe(text(""));
  expect(await update("", true)).toBe(text(`\n    signing_key: \${hidden:key}`));
  expect(await update(`\n    signing_key: ${KEY}`, true)).toBe(text(`\n    signing_key: ${KEY}`));
});

test("reports every problem of a file, and sends nothing", async () => {
  const files = { "fleet.yaml": "relayers:\n  - id: 5\n" };
  await says({ exitCode: 2, requests: [] }, "export -f fleet.yaml", "fleet.yaml:2:5", { env: ENV, files });
});

test.each([
  ["--file -", "--file: stdin cannot be updated; without --file, the export goes to stdout"],
  ["--file a.yaml b.yaml", "a.yaml: does not exist, or is empty; specify only this file to create it"],
  ["--file a.yaml -o json --query relayers", '"--query","rule":"cannot be combined with --file"'],
])("refuses %s", async (flags, problem) => {
  const { exitCode, stderr, requests } = await cli(`export ${flags}`, { env: ENV, files: { "b.yaml": YAML } });
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toContain(problem);
});

test("leaves a file that changed meanwhile", async () => {
  const files: Record<string, string> = { "fleet.yaml": YAML };
  const inner = WORLD.service;
  const service: typeof inner = async (request, limits) => {
    files["fleet.yaml"] = `${YAML}# by another program\n`;
    return await inner(request, limits);
  };
  await says(6, "export -f fleet.yaml", "fleet.yaml: changed since it was read", { ...WORLD, files, service });
  expect(files["fleet.yaml"]).toBe(`${YAML}# by another program\n`);
});
