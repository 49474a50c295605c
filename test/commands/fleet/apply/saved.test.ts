import type { Transport } from "../../../../src/client/transport/transport.ts";
import type { JsonObject } from "../../../../src/contract/json.ts";
import type { ServerState } from "../../../../src/embedded-server/state/state.ts";
import { fingerprintChecksum } from "../../../../src/fleet/fingerprint.ts";
import { cli, ends, exited, exitedSaying, exits, printedError, says } from "../../../helpers/cli.ts";
import { CANARY_KEY } from "../../../helpers/scan.ts";
import {
  apply,
  change,
  described,
  type FleetWorld,
  fleetWorld,
  HOOK,
  type Lists,
  listsOf,
  outcomesOf,
  patchRelayer,
  RELAYER_IDS,
  refusing,
  relayer,
  relayerIn,
  serviceOver,
  writesOf,
} from "./world.ts";

const CAP = { policies: { gas_price_cap: 5_000_000_000 } };
const APPLY = "plan.json --yes";

async function planned(lists: Lists, more: Parameters<typeof fleetWorld>[0] = {}): Promise<FleetWorld> {
  const world = fleetWorld({ lists, ...more });
  await exits(20, "plan -f config.json --out plan.json", world);
  return world;
}

/** Edits a saved plan, and its checksum. */
function exchange(world: FleetWorld, pattern: RegExp, text: string): void {
  const [head = ""] = world.files["plan.json"]?.split(/,\n {2}"checksum"/) ?? [];
  const edited = head.replace(pattern, text);
  expect(edited).not.toBe(head);
  world.files["plan.json"] = `${edited},\n  "checksum": "${fingerprintChecksum(edited)}"\n}\n`;
}

/** Differs from the service in each noun that can be changed, besides relayers. */
const OTHER_NOUNS = listsOf(
  {},
  {
    notifications: [{ ...HOOK, url: "https://new.example.org/events" }],
    networks: [{ network: "sepolia", type: "evm", rpc_urls: ["https://new.example.org"] }],
    plugins: [{ id: "sweep", path: "sweep.ts", timeout: 60, config: { region: "eu", retries: 5 } }],
  },
);

function changeItem(noun: "notifications" | "networks" | "plugins" | "signers", id: string, patch: JsonObject) {
  return (state: ServerState) => state[noun].put({ ...state[noun].get(id), id, ...patch });
}

const HOST = "https://x.example.org";

/** Returns a service before v1.4, which shows the RPC URLs of relayers (facts 4.4). */
function showingUrls(ask: Transport, url: string): Transport {
  return async (...given) => {
    const found = await ask(...given);
    const text = new TextDecoder().decode(found.body).replaceAll(`${HOST}/***`, url);
    return { ...found, body: new TextEncoder().encode(text) };
  };
}

const changePlugin = (patch: JsonObject) => changeItem("plugins", "sweep", patch);

test("a plan is saved, and applied without its files", async () => {
  const world = await planned(listsOf({ r1: CAP }));
  delete world.files["config.json"];
  const ran = await exited({ exitCode: 0 }, apply(world, APPLY));
  expect(outcomesOf(ran)).toEqual(["relayers/r1 update applied"]);
  expect(await relayerIn(world, "r1")).toMatchObject(CAP);
});

test("the command that saves a plan prints the command that applies it", async () => {
  const ran = await cli("plan -f config.json --out 'a plan.json' --prune", fleetWorld({ lists: listsOf({ r1: CAP }) }));
  expect(ran.stderr).toContain("note: saved in a plan.json, without any secret\n");
  expect(ran.stderr).toContain("next: relayctl apply 'a plan.json' --prune\n");
});

test("an earlier plan is replaced, and no other file", async () => {
  const world = await planned(listsOf({ r1: CAP }));
  const before = world.files["plan.json"];
  await patchRelayer(world, "r2", { paused: true });
  expect(await cli("plan -f config.json --out plan.json", world)).toMatchObject({ exitCode: 20 });
  expect(world.files["plan.json"]).not.toBe(before);
  const config = world.files["config.json"];
  const ran = await exits(2, "plan -f config.json --out config.json", world);
  expect(ran.stderr).toContain("config.json: is not a plan and would be overwritten; specify another file");
  expect(world.files["config.json"]).toBe(config);
});

test.each(["--out -", "--out ''"])("%s is refused before anything is read", async (flag) => {
  expect(await cli(`plan -f config.json ${flag}`, fleetWorld())).toMatchObject({ exitCode: 2, requests: [] });
});

test("what somebody else created is already as planned, except what cannot be compared", async () => {
  const hook = { id: "new-hook", type: "webhook", url: "https://new.example.org", signing_key: `\${env:KEY}` };
  const world = await planned(listsOf({}, { notifications: [HOOK, hook] }));
  await change(world, ({ notifications }) => notifications.put({ ...hook, signing_key: "another-key-".repeat(3) }));
  const ran = await exited({ exitCode: 0, writes: [] }, apply(world, APPLY));
  expect(ran.stderr).toMatch(
    /^note: notifications\/new-hook: signing_key is not compared\nin .*: 1 already as planned$/m,
  );
});

test("applying a plan again after a part of it failed sends the rest, and then nothing", async () => {
  const hook = { id: "new-hook", type: "webhook", url: "https://new.example.org" };
  const lists = listsOf({ r1: CAP, r2: { notification_id: "new-hook" } }, { notifications: [HOOK, hook] });
  const world = await planned(lists, { isReal: true });
  const service = refusing(world, "PATCH", "/api/v1/relayers/r2");
  await exited({ exitCode: 12 }, apply(world, APPLY, { service }));
  await exitedSaying(7, apply(world, APPLY, { service }), "0 of 3 changes applied, 2 already as planned, 1 failed");
  const second = await exited({ exitCode: 0 }, apply(world, APPLY));
  expect(writesOf(second)).toEqual(["PATCH relayers/r2"]);
  expect(outcomesOf(second)).toEqual([
    "notifications/new-hook create already",
    "relayers/r1 update already",
    "relayers/r2 update applied",
  ]);
  await exitedSaying({ exitCode: 0, writes: [] }, apply(world, APPLY), /: 3 already as planned$/m);
});

describe("a plan that is out of date", () => {
  const cases: readonly [what: string, moved: (world: FleetWorld) => Promise<void>, rule: string][] = [
    [
      "a member that the plan changes",
      (world) => patchRelayer(world, "r1", { policies: { gas_price_cap: 7 } }),
      "relayers/r1: changed since the plan was created: policies.gas_price_cap unset → 7",
    ],
    [
      "another member of the same resource",
      (world) => patchRelayer(world, "r1", { name: "Other" }),
      'relayers/r1: changed since the plan was created: name "r1" → "Other"',
    ],
    [
      "a resource that the plan leaves as it is",
      (world) => patchRelayer(world, "r5", { paused: true }),
      "relayers/r5: changed since the plan was created: paused false → true",
    ],
    [
      "RPC URLs, which are not shown",
      (world) => patchRelayer(world, "r5", { custom_rpc_urls: [{ url: "https://x.example.org/key", weight: 1 }] }),
      "relayers/r5: changed since the plan was created: custom_rpc_urls changed",
    ],
    [
      "a deleted resource",
      (world) => change(world, (state) => void state.relayers.remove("r1")),
      "relayers/r1: changed since the plan was created: was deleted since",
    ],
  ];

  test.each(cases)("is refused before anything is sent: %s", async (_, moved, rule) => {
    const world = await planned(listsOf({ r1: CAP, r2: CAP }));
    await moved(world);
    const ran = await ends({ exitCode: 6, writes: [], stdout: "" }, `apply ${APPLY}`, world);
    expect(ran.stderr).toContain(`${rule}\n`);
    expect(ran.stderr).toContain("hint: relayctl plan --file config.json --out plan.json\n");
  });

  test.each<[path: string, noun: Parameters<typeof changeItem>[0], id: string, patch: JsonObject]>([
    ["url", "notifications", "ops", { url: "https://third.example.org" }],
    ["has_signing_key", "notifications", "ops", { signing_key: "key-of-somebody-else-".repeat(2) }],
    ["rpc_urls", "networks", "evm:sepolia", { rpc_urls: [{ url: "https://third.example.org", weight: 1 }] }],
    ["symbol", "networks", "evm:sepolia", { symbol: "X" }],
    ["tags", "networks", "evm:sepolia", { tags: ["no-mempool"] }],
    ["timeout", "plugins", "sweep", { timeout: 10 }],
    ["raw_response", "plugins", "sweep", { raw_response: true }],
    ["config", "plugins", "sweep", { config: { retries: 7 } }],
    ["path", "plugins", "sweep", { path: "other.ts" }],
    ["config.region", "signers", "kms-r1", { config: { region: "eu-west-2", key_id: "key-of-kms-r1" } }],
    ["type", "signers", "kms-r1", { type: "vault" }],
  ])("is refused before anything is sent, whatever the noun: %s of %s", async (path, noun, id, patch) => {
    const world = await planned(OTHER_NOUNS);
    await change(world, changeItem(noun, id, patch));
    const ran = await ends({ exitCode: 6, writes: [], stdout: "" }, `apply ${APPLY}`, world);
    expect(ran.stderr).toContain(`${noun}/${id}: changed since the plan was created: ${path} `);
  });

  test("is refused for another key in an RPC URL, if the service does not mask it", async () => {
    const relayers = RELAYER_IDS.map((id) => relayer(id, { custom_rpc_urls: [{ url: `${HOST}/***`, weight: 100 }] }));
    const lists = listsOf({ r1: { custom_rpc_urls: ["https://planned.example.org"] } });
    const world = fleetWorld({ lists, relayers, isReal: true });
    const service = (key: string) => showingUrls(serviceOver(world.store), `${HOST}/${key}`);
    await exits(20, "plan -f config.json --out plan.json", { ...world, service: service("key-at-the-plan") });
    const ran = await ends({ exitCode: 6, writes: [] }, `apply ${APPLY}`, { ...world, service: service("newer-key") });
    expect(ran.stderr).toContain("relayers/r1: changed since the plan was created: custom_rpc_urls changed\n");
    expect(ran.stderr).not.toMatch(/key-at|newer/);
  });

  test("shows every resource that changed", async () => {
    const world = await planned(listsOf({ r1: CAP }));
    await patchRelayer(world, "r2", { name: "Two" });
    await patchRelayer(world, "r3", { name: "Three" });
    const error = printedError((await apply(world, APPLY)).stderr);
    expect(error.details.map(({ where }: { where: string }) => where)).toEqual(["relayers/r2", "relayers/r3"]);
  });

  test("a resource that was created since is compared with the plan", async () => {
    const lists = listsOf(
      {},
      { notifications: [HOOK, { id: "new", type: "webhook", url: "https://new.example.org" }] },
    );
    const create = (url: string) => (world: FleetWorld) =>
      change(world, (state) => state.notifications.put({ id: "new", type: "webhook", url }));
    const [same, other] = [await planned(lists), await planned(lists)];
    await create("https://new.example.org")(same);
    await create("https://other.example.org")(other);
    expect(outcomesOf(await apply(same, APPLY))).toEqual(["notifications/new create already"]);
    expect(await apply(other, APPLY)).toMatchObject({ exitCode: 6, writes: [] });
  });
});

describe("a plan that is not for here", () => {
  test("of another service is refused before anything is sent", async () => {
    const world = await planned(listsOf({ r1: CAP }));
    world.env.RELAYCTL_SERVER = "http://127.0.0.1:9999";
    const ran = await ends({ exitCode: 2, requests: [] }, `apply ${APPLY}`, world);
    expect(ran.stderr).toContain("plan.json: was created for http://127.0.0.1:8080, and ");
  });

  test.each([
    ["edited", (text: string) => text.replace("5000000000", "9000000000"), "was changed after it was saved"],
    ["cut", (text: string) => text.slice(0, -200), "or it is incomplete"],
    ["of another version", (text: string) => text.replace(/"relayctl": "[^"]+"/, '"relayctl": "9.9.9"'), "was changed"],
    ["a config", () => "{}", "is not a plan"],
  ])("that is %s is refused before anything is sent", async (_, edit, rule) => {
    const world = await planned(listsOf({ r1: CAP }));
    world.files["plan.json"] = edit(world.files["plan.json"] ?? "");
    await says({ exitCode: 2, requests: [] }, `apply ${APPLY}`, rule, world);
  });

  test.each<[what: string, pattern: RegExp, text: string]>([
    ["another URL of a notification", /(?<="body": \{\s*"url": )"[^"]+"/, '"https://other.example.org"'],
    [
      "another URL of a network",
      /(?<="body": \{\s*"rpc_urls": \[\s*\{\s*"url": )"[^"]+"/,
      '"https://other.example.org"',
    ],
    ["a reference in place of a URL", /(?<="body": \{\s*"url": )"[^"]+"/, `"\${env:KEY}"`],
    ["a source in place of a URL", /(?<="body": \{\s*"url": )"[^"]+"/, `"\${source:config.json#/notifications/0/url}"`],
    ["a member that is not shown", /(?<="retries": 5)(?=\s*\}\s*\},\s*"effects")/, ', "to": "x"'],
    ["another weight", /(?<="body": \{\s*"rpc_urls": \[\s*\{)/, '"weight": 0, '],
    ["another timeout of a plugin", /(?<="body": \{\s*"timeout": )60/, "0"],
    ["the default of a plugin's member", /(?<="raw_response": )false(?=,\s*"config")/, "true"],
    ["another number in a plugin's config", /(?<="retries": )5(?=\s*\}\s*\},\s*"effects")/, "500"],
  ])("whose request to a noun besides relayers was exchanged is refused: %s", async (_, pattern, text) => {
    const world = await planned(OTHER_NOUNS);
    await change(world, changePlugin({ raw_response: true }));
    await exits(20, "plan -f config.json --out plan.json", world);
    exchange(world, pattern, text);
    await says({ exitCode: 2, requests: [] }, `apply ${APPLY}`, "plan.json: was changed after it was saved", world);
  });

  test.each<[what: string, pattern: RegExp, text: string]>([
    ["another member", /"body": \{/, '"body": { "name": "x",'],
    ["every policy", /"body": \{[^}]*\}/, '"body": { "policies": null'],
    ["an empty list", /"body": \{\s*"policies": \{/, '"body": { "policies": { "whitelist_receivers": [],'],
    ["another value", /("body": \{\s*"policies": \{\s*"gas_price_cap": )\d+/, "$19000000000"],
  ])("whose request was exchanged is refused, whatever its checksum: %s", async (_, pattern, text) => {
    const world = await planned(listsOf({ r1: CAP }));
    exchange(world, pattern, text);
    await says({ exitCode: 2, requests: [] }, `apply ${APPLY}`, "plan.json: was changed after it was saved", world);
  });

  test("with less consent and fewer effects than its request has is applied with those", async () => {
    const own = { policies: { whitelist_receivers: [`0x${"1".repeat(40)}`] } };
    const relayers = RELAYER_IDS.map((id) => relayer(id, own));
    const lists = { relayers: RELAYER_IDS.map((id) => described(id, id === "r1" ? {} : own)) };
    const world = await planned(listsOf({}, lists), { relayers });
    const [head = ""] = world.files["plan.json"]?.split(/,\n {2}"checksum"/) ?? [];
    const edited = head
      .replace('"consent": "id"', '"consent": "none"')
      .replace(/"effects": \[[^\]]*\]/, '"effects": []');
    expect(edited).not.toContain("any receiver");
    world.files["plan.json"] = `${edited},\n  "checksum": "${fingerprintChecksum(edited)}"\n}\n`;
    await says({ exitCode: 3, writes: [] }, `apply ${APPLY}`, "requires confirmation", world);
    const ran = await exited({ exitCode: 0 }, apply(world, `${APPLY} --confirm r1`));
    expect(ran.stderr).toContain("whitelist_receivers is unset");
  });

  test.each(["plan.json -f config.json", "plan.json --send-hidden", "missing.json", "''"])(
    "apply %s is refused",
    async (words) => {
      const world = await planned(listsOf({ r1: CAP }));
      expect(await cli(`apply ${words} --yes`, world)).toMatchObject({ exitCode: 2, requests: [] });
    },
  );
});

describe("secrets", () => {
  const hook = { id: "new", type: "webhook", url: "https://new.example.org" };
  const withKey = (signing_key: object) => listsOf({}, { notifications: [HOOK, { ...hook, signing_key } as never] });
  const fromEnv = withKey({ type: "env", value: "KEY" });

  test("are not in the file, and are read again from where they are", async () => {
    const world = await planned(fromEnv, { isReal: true });
    expect(world.files["plan.json"]).toContain(`\${env:KEY}`);
    expect(world.files["plan.json"]).not.toContain(CANARY_KEY);
    delete world.files["config.json"];
    const ran = await exited({ exitCode: 0 }, apply(world, APPLY));
    expect(ran.writes[0]?.body).toContain(CANARY_KEY);
  });

  test("of a file are read from the file", async () => {
    const world = await planned(withKey({ type: "plain", value: CANARY_KEY }));
    expect(world.files["plan.json"]).not.toContain(CANARY_KEY);
    const ran = await exited({ exitCode: 0 }, apply(world, APPLY));
    expect(ran.writes[0]?.body).toContain(CANARY_KEY);
  });

  test("that have another value now are a conflict", async () => {
    const world = await planned(fromEnv);
    world.env.KEY = `${CANARY_KEY}-rotated`;
    const ran = await ends({ exitCode: 6, requests: [] }, `apply ${APPLY}`, world);
    expect(ran.stderr).toContain(`notifications/new signing_key: \${env:KEY} has another value now\n`);
  });

  test("that are missing are named", async () => {
    const unset = await planned(fromEnv);
    delete unset.env.KEY;
    expect(await cli(`apply ${APPLY}`, unset)).toMatchObject({ exitCode: 2, requests: [] });
    const moved = await planned(withKey({ type: "plain", value: CANARY_KEY }));
    delete moved.files["config.json"];
    expect(await cli(`apply ${APPLY}`, moved)).toMatchObject({ exitCode: 2, requests: [] });
  });

  test("are known after an apply by the journal, so that a change of the key alone is one", async () => {
    const world = fleetWorld({ lists: fromEnv, isReal: true, isJournaled: true });
    expect(await apply(world)).toMatchObject({ exitCode: 0 });
    expect(await cli("plan -f config.json", world)).toMatchObject({ exitCode: 0 });
    world.env.KEY = `${CANARY_KEY}-rotated`;
    await exits(20, "plan -f config.json --out plan.json", world);
    expect(outcomesOf(await apply(world, APPLY))).toEqual(["notifications/new update applied"]);
    expect(await apply(world, APPLY)).toMatchObject({ exitCode: 0, writes: [] });
    expect(await cli("plan -f config.json", world)).toMatchObject({ exitCode: 0 });
  });
});

test.each(["--dry-run", "--curl"])("%s shows each secret as a separate shell variable", async (flag) => {
  const hooks = ["one", "two"].map((id) => ({ id, type: "webhook", url: `https://${id}.example.org` }));
  const keys = [
    { type: "env", value: "KEY" },
    { type: "plain", value: `${CANARY_KEY}-of-two` },
  ];
  const notifications = [HOOK, ...hooks.map((hook, at) => ({ ...hook, signing_key: keys[at] }) as never)];
  const world = await planned(listsOf({}, { notifications }));
  for (const words of ["-f config.json", "plan.json"]) {
    const ran = await ends({ exitCode: 0, writes: [] }, `apply ${words} ${flag}`, world);
    expect(ran.stdout).toContain(`"\${KEY:?}"`);
    expect(ran.stdout).toContain(`\${SIGNING_KEY_TWO:?}`);
    expect(ran.stdout).not.toContain(CANARY_KEY);
  }
});
