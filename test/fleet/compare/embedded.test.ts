import { createClient } from "../../../src/client/client.ts";
import { copyJsonObject, isJsonObject, type JsonObject, type JsonValue } from "../../../src/contract/json.ts";
import type { CreateNotificationRequest } from "../../../src/contract/resources/notification.ts";
import type { Dialect } from "../../../src/embedded-server/dialect.ts";
import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { hiddenText, hiddenUrl } from "../../../src/fleet/hidden.ts";
import { readLiveFor } from "../../../src/fleet/live.ts";
import type { Plan, PlannedChange } from "../../../src/fleet/plan.ts";
import { compared, desiredFleet, type Lists, resolved } from "../../helpers/fleet.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { testClientContext } from "../../helpers/test-link.ts";

const random = { uuid: () => "00000000-0000-4000-8000-000000000001", fraction: () => 0.5 };
const NOUNS = ["notifications", "signers", "networks", "plugins", "relayers"] as const;
const NAMES = ["name", "network", "network_type", "paused", "signer_id", "notification_id", "policies"];

function serviceOf(dialect: Dialect | undefined, seed = "demo") {
  const clock = manualClock();
  const store = memoryStore(seedState(seed));
  const transport = createEmbeddedServer({ token: "t", store, clock, random, ...(dialect && { dialect }) });
  return createClient(testClientContext(transport, { token: "t" }));
}

type Service = ReturnType<typeof serviceOf>;

/** Describes a service as a file would: without what it sets itself, and with what it hides left out. */
async function described(client: Service): Promise<Lists> {
  const { resources } = await readLiveFor(client, { nouns: new Set(NOUNS), resources: [], doubts: [] });
  const each = (noun: (typeof NOUNS)[number], change: (fields: JsonObject) => JsonObject) =>
    Object.fromEntries([...resources[noun]].map(([id, fields]) => [id, change(fields)]));
  return {
    notifications: each("notifications", ({ type, url, has_signing_key }) => ({
      ...{ type: type ?? null, url: url ?? null },
      ...(has_signing_key === true && { signing_key: hiddenText("key") }),
    })),
    signers: each("signers", ({ type, config }) => ({ type: type ?? null, config: config ?? {} })),
    networks: each("networks", copyJsonObject),
    plugins: each("plugins", ({ timeout, ...rest }) => ({
      ...rest,
      timeout: isJsonObject(timeout) ? (timeout.secs ?? 300) : 300,
    })),
    relayers: each("relayers", (fields) => ({
      ...Object.fromEntries(NAMES.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
      ...(Array.isArray(fields.custom_rpc_urls) && { custom_rpc_urls: hiddenUrls(fields.custom_rpc_urls) }),
    })),
  };
}

function hiddenUrls(urls: readonly JsonValue[]): JsonValue {
  const numbers = new Map<string, number>();
  return urls.map((entry) => {
    const { url = "", ...rest } = isJsonObject(entry) ? entry : {};
    const host = hiddenUrl(String(url), 0);
    numbers.set(host, (numbers.get(host) ?? 0) + 1);
    return { ...rest, url: hiddenUrl(String(url), numbers.get(host) ?? 1) };
  });
}

async function planOf(client: Service, files: Lists) {
  const desired = desiredFleet(files);
  return await compared(desired, await readLiveFor(client, desired));
}

async function apply(client: Service, { changes }: Plan, secrets: ReadonlyMap<string, string>): Promise<void> {
  for (const change of changes) await send(client, change, resolved(change.body, secrets) as JsonObject);
}

async function send(client: Service, { noun, id, action }: PlannedChange, body: JsonObject): Promise<void> {
  if (action === "create" && noun === "notifications")
    await client.notifications.create(body as CreateNotificationRequest);
  else if (action === "create" && noun === "signers") await client.signers.create(body);
  else if (action === "create" && noun === "relayers") await client.relayers.create(body);
  else if (action === "update" && noun !== "signers") await client[noun].update(id, body);
}

describe.each([
  ["the interface", undefined],
  ["the real service", openzeppelinDialect(random)],
] as const)("a service that speaks like %s", (_, dialect) => {
  test("is as a file that describes it", async () => {
    const client = serviceOf(dialect);
    const { plan } = await planOf(client, await described(client));
    expect(plan).toMatchObject({ changes: [], cannot: [], outside: [], unmanaged: [] });
    expect(plan.same).toBeGreaterThan(10);
  });

  test("is as the files describe it once the changes are made", async () => {
    const client = serviceOf(dialect);
    const files = await described(client);
    const { relayers = {}, notifications = {} } = files;
    const active = Object.entries(relayers).filter(([id]) => !["polygon-bulk"].includes(id));
    const changed: Lists = {
      ...files,
      signers: { ...files.signers, "kms-new": { type: "aws_kms", config: { region: "eu-west-1", key_id: "k" } } },
      notifications: {
        ...notifications,
        "audit-log": { type: "webhook", url: "https://audit.example.org/new", signing_key: "k".repeat(40) },
        "new-hook": { type: "webhook", url: "https://hooks.example.org/new" },
      },
      relayers: Object.fromEntries(active.map(([id, fields]) => [id, { ...fields, ...changesOf(fields) }])),
    };
    const { plan, secrets } = await planOf(client, changed);
    const possible = plan.changes.filter(({ disabled }) => !disabled);
    expect(possible.length).toBeGreaterThan(active.length / 2);
    await apply(client, { ...plan, changes: possible }, secrets);
    const after = await planOf(client, changed);
    expect(after.plan.changes.filter(({ disabled }) => !disabled)).toEqual([]);
    expect(after.plan.cannot).toEqual([]);
  });
});

/** Returns other values for a relayer: some set, some unset, of the kind of its network. */
function changesOf({ network_type, policies }: JsonObject): JsonObject {
  const { gas_price_cap: _, ...rest } = isJsonObject(policies) ? policies : {};
  const own: JsonObject =
    network_type === "evm"
      ? { min_balance: 2n ** 128n - 1n, whitelist_receivers: ["0x52908400098527886E0F7030069857D2E4169EE7"] }
      : { min_balance: 123, fee_margin_percentage: 0.1 };
  return { name: "Größe 2", notification_id: "new-hook", custom_rpc_urls: [], policies: { ...rest, ...own } };
}

test("plans a thousand relayers with the requests of a list", async () => {
  const requests: string[] = [];
  const clock = manualClock();
  const server = createEmbeddedServer({ token: "t", store: memoryStore(seedState("fleet:1000")), clock, random });
  const client = createClient(
    testClientContext(
      async (request) => {
        requests.push(request.target);
        return await server(request);
      },
      { token: "t" },
    ),
  );
  const files = await described(client);
  const { relayers = {} } = files;
  const changed = Object.entries(relayers).map(([id, fields], index) => [
    id,
    index < 40 ? { ...fields, paused: fields.paused !== true } : fields,
  ]);
  requests.length = 0;
  const { plan } = await planOf(client, { relayers: Object.fromEntries(changed) });
  expect([plan.changes.length, plan.cannot, requests.length]).toEqual([40, [], 1]);
});
