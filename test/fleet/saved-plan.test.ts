import type { JsonObject } from "../../src/contract/json.ts";
import { RelayctlError } from "../../src/errors.ts";
import { managedResource } from "../../src/fleet/apply/managed-resource.ts";
import { inspectFleet, readFleetFiles } from "../../src/fleet/config/read-fleet.ts";
import { fingerprintChecksum, fingerprintWith } from "../../src/fleet/fingerprint.ts";
import { readSavedPlan } from "../../src/fleet/read-saved-plan.ts";
import { resolveReference, type SavedPlan, savedPlanText, savedReferences } from "../../src/fleet/saved-references.ts";
import { VERSION } from "../../src/version.ts";
import { compared, desiredFleet, liveFleet } from "../helpers/fleet.ts";
import { fleetOf, memorySources, problemsOf } from "./fleet-files.ts";

const KEY = "a-signing-key-of-at-least-32-characters";
const NETWORK_URL = "https://rpc.example.org/v3/key-of-the-network-0001";
const LIVE = {
  notifications: {
    "ops-hook": { type: "webhook", url: "https://hooks.example.org/T0/secret-part", has_signing_key: true },
  },
  networks: {
    "evm:sepolia": { network: "sepolia", network_type: "evm", rpc_urls: [{ url: NETWORK_URL, weight: 100 }] },
  },
  plugins: { sweep: { path: "sweep.ts", raw_response: false, config: { token: "secret-of-the-plugin" } } },
};

async function saved(): Promise<SavedPlan> {
  const desired = desiredFleet({
    notifications: {
      "ops-hook": { type: "webhook", url: LIVE.notifications["ops-hook"].url, signing_key: KEY },
      "new-hook": { type: "webhook", url: "https://hooks.example.org/new", signing_key: KEY },
    },
    networks: { "evm:sepolia": { rpc_urls: [{ url: NETWORK_URL }] } },
    plugins: { sweep: { config: { token: "secret-of-the-plugin" }, timeout: 5 } },
  });
  const live = liveFleet(LIVE);
  const { plan, referred } = await compared(desired, live);
  const managed = desired.resources.map((each) =>
    managedResource(each, live.resources[each.noun].get(each.id), fingerprintWith("salt")),
  );
  const references = savedReferences(desired.resources, referred, fingerprintWith("salt"));
  return { plan, managed, salt: "salt", references };
}

function refusal(text: string): string {
  try {
    readSavedPlan(text, "plan.json");
  } catch (error) {
    if (error instanceof RelayctlError && error.exitCode === 2) return error.message;
    throw error;
  }
  return "nothing was refused";
}

function withMembers(plan: SavedPlan, members: JsonObject): string {
  const text = savedPlanText({ ...plan, plan: { ...plan.plan, ...members } as SavedPlan["plan"] });
  const [checked = ""] = text.split(',\n  "checksum"');
  return `${checked},\n  "checksum": "${fingerprintChecksum(checked)}"\n}\n`;
}

test("a plan that was saved is read as it was", async () => {
  const plan = await saved();
  expect(plan.plan.changes).toHaveLength(2);
  expect(readSavedPlan(savedPlanText(plan), "plan.json")).toEqual(plan);
});

test("contains no secret, and the fingerprints of those that it needs", async () => {
  const plan = await saved();
  const text = savedPlanText(plan);
  for (const secret of [KEY, "secret-part", "key-of-the-network-0001", "secret-of-the-plugin"])
    expect(text).not.toContain(secret);
  expect([...plan.references].map(([key, members]) => [key, Object.fromEntries(members)])).toEqual([
    [
      "notifications/new-hook",
      {
        signing_key: {
          reference: `\${source:config.json#/notifications/new-hook/signing_key}`,
          fingerprint: expect.stringMatching(/^hmac:[0-9a-f]{16}$/),
        },
      },
    ],
  ]);
});

test("any byte that is changed is found", async () => {
  const bytes = Buffer.from(savedPlanText(await saved()));
  const found = [...bytes.keys()].filter((at) => {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return refusal(changed.toString("latin1")) !== "nothing was refused";
  });
  expect(found).toHaveLength(bytes.length);
});

test("any part of a plan is found", async () => {
  const text = savedPlanText(await saved());
  for (let length = 0; length < text.length; length += 7)
    expect(refusal(text.slice(0, length))).toContain("incomplete");
});

test("says what is wrong with a file that is not a plan", async () => {
  const plan = await saved();
  const wrong = "is not a valid plan: create a new one";
  const texts: Record<string, string> = {
    "": "is not a plan that `relayctl plan --out` saved, or it is incomplete",
    "{}": "is not a plan that `relayctl plan --out` saved, or it is incomplete",
    [withMembers(plan, {
      relayctl: "9.9.9",
    })]: `was created by relayctl 9.9.9, and this is ${VERSION}: create a new plan`,
    [withMembers(plan, { format: 2 })]: wrong,
    [withMembers(plan, { changes: [{ noun: "relayers" }] as never })]: wrong,
    [withMembers(plan, { changes: null })]: wrong,
    [withMembers(plan, { server: 5 })]: wrong,
  };
  for (const [text, rule] of Object.entries(texts)) expect(refusal(text)).toBe(`plan.json: ${rule}`);
});

test("refuses deep nesting and a huge number of values, with the right checksum", () => {
  const withChecksum = (text: string) => `${text},\n  "checksum": "${fingerprintChecksum(text)}"\n}\n`;
  for (const value of ["[".repeat(1_000_000), "[".repeat(200) + "]".repeat(200), `[${"0,".repeat(2_100_000)}0]`])
    expect(refusal(withChecksum(`{\n  "format": ${value}`))).toBe("plan.json: is not a valid plan: create a new one");
});

const CONFIG = `{
  "relayers": [{
    "id": "r1", "name": "One", "network": "sepolia", "network_type": "evm", "paused": false, "signer_id": "s1",
    "policies": { "gas_price_cap": "100gwei", "min_balance": 340282366920938463463374607431768211455 },
    "custom_rpc_urls": ["https://a.io/key", { "url": "https://b.io", "weight": 5 }]
  }],
  "notifications": [
    { "id": "n1", "type": "webhook", "url": "https://h.io", "signing_key": { "type": "env", "value": "KEY" } }
  ],
  "signers": [
    { "id": "s1", "type": "local", "config": { "path": "x.json", "passphrase": { "type": "env", "value": "PASS" } } }
  ]
}`;

test("the service's own file becomes requests, with exact amounts and references to secrets", async () => {
  const { resources, nouns } = await fleetOf(CONFIG, { env: { KEY: "k".repeat(40) } });
  expect(nouns).toEqual(new Set(["notifications", "signers", "relayers"]));
  const [relayer, notification, signer] = resources;
  expect(notification).toMatchObject({ id: "n1", fields: { signing_key: "k".repeat(40) } });
  expect([...(notification?.references ?? [])]).toEqual([["signing_key", `\${env:KEY}`]]);
  expect(signer?.fields).toMatchObject({ type: "local", config: { passphrase: `\${hidden:set PASS}` } });
  expect(relayer?.fields).toMatchObject({
    policies: { gas_price_cap: 100_000_000_000, min_balance: 2n ** 128n - 1n },
    custom_rpc_urls: [{ url: "https://a.io/key" }, { url: "https://b.io", weight: 5 }],
  });
  expect([...(relayer?.references ?? [])]).toEqual([
    ["custom_rpc_urls.0.url", `\${source:config.json#/relayers/0/custom_rpc_urls/0}`],
  ]);
  expect(relayer?.placeOf("policies.min_balance")).toEqual({ file: "config.json", line: 4, column: 47 });
});

test("a variable that is not set ends nothing, and is found at its place", async () => {
  expect((await fleetOf(CONFIG)).doubts).toEqual([]);
  const found = await inspectFleet(["config.json"], memorySources({ "config.json": CONFIG }));
  expect(found.filter(({ path }) => path.startsWith("notifications"))).toMatchObject([
    {
      ...{ file: "config.json", line: 8, column: 93, path: "notifications.0.signing_key.value", severity: "note" },
      ...{ code: "not_set", message: "the environment variable KEY is not set", fix: "set KEY" },
    },
  ]);
});

describe("references", () => {
  const KEY = "k".repeat(40);

  test.each([
    { reference: `\${env:KEY}`, secret: KEY },
    { reference: `https://host/\${env:KEY}`, secret: `https://host/${KEY}` },
    { reference: `\${file:keys/a}`, secret: "from a file" },
    { reference: `\${source:fleet/config.json#/notifications/0/signing_key}`, secret: KEY },
    { reference: `\${source:fleet/config.json#/notifications/0/a~1b~0c}`, secret: `\${plain}` },
  ])("$reference is resolved", async ({ reference, secret }) => {
    const sources = memorySources(
      {
        "keys/a": "from a file\n",
        "fleet/config.json": `{"notifications": [{"signing_key": "${KEY}", "a/b~c": "$\${plain}"}]}`,
      },
      { KEY },
    );
    expect(await resolveReference(reference, sources)).toBe(secret);
  });

  test.each([
    { reference: `\${env:KEY}`, rule: "the environment variable KEY is not set" },
    { reference: `\${file:gone}`, rule: "the file gone cannot be read: it does not exist" },
    {
      reference: `\${source:config.json#/signers/7/config}`,
      rule: "the file has no text there now; create the plan again",
    },
  ])("$reference without a value is refused", async ({ reference, rule }) => {
    const sources = memorySources({ "config.json": "{}" });
    expect(await problemsOf(resolveReference(reference, sources))).toEqual([`${reference}: ${rule}`]);
  });

  test("every reference of a fleet resolves to the secret that was read, from the folder of the command", async () => {
    const sources = memorySources(
      {
        "fleet/config.json": `{
        "notifications": [
          {"id": "a", "type": "webhook", "url": "https://h/\${file:../path}", "signing_key": "\${file:key}"},
          {"id": "b", "type": "webhook", "url": "https://u:p@h", "signing_key": {"type": "plain", "value": "${KEY}"}},
          {"id": "c", "type": "webhook", "url": "https://h", "signing_key": {"type": "env", "value": "KEY"}}
        ],
        "relayers": [{
          "id": "r", "name": "r", "network": "sepolia", "network_type": "evm", "paused": false, "signer_id": "s",
          "custom_rpc_urls": ["https://a/secret", {"url": "https://b/$\${KEY}"}, "https://c"]
        }]
      }`,
        "fleet/key": `${KEY}\r\n`,
        path: "hook\n",
      },
      { KEY },
    );
    const { resources } = await readFleetFiles(["fleet/config.json"], sources);
    const references = resources.flatMap((resource) => [...resource.references.values()]);
    const resolved = await Promise.all(references.map((reference) => resolveReference(reference, sources)));
    expect(resolved).toEqual([
      ...[KEY, "https://h/hook"],
      ...[KEY, "https://u:p@h"],
      KEY,
      ...["https://a/secret", `https://b/\${KEY}`],
    ]);
  });
});
