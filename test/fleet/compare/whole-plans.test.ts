import { readLiveFor } from "../../../src/fleet/live.ts";
import { compared, desiredFleet, type Lists, liveFleet, reference } from "../../helpers/fleet.ts";

const RELAYER = { name: "Main", network: "sepolia", network_type: "evm", paused: true, signer_id: "s" };
const HOOK = { type: "webhook", url: "https://hooks.example.org" };
const SIGNER = { type: "aws_kms", config: { region: "eu-west-1", key_id: "k" } };
const PLAIN = { type: "plain", config: { key: "c".repeat(64) } };

test("creates what is missing, complete and in the order of what refers to what", async () => {
  const relayer = {
    ...RELAYER,
    notification_id: "n",
    custom_rpc_urls: [{ url: "https://a/canary" }],
    policies: { min_balance: 5 },
  };
  const desired = {
    relayers: { r: relayer },
    signers: { s: PLAIN },
    notifications: { n: { ...HOOK, signing_key: "k".repeat(32) } },
  };
  const { plan, secrets } = await compared(desired, { relayers: {}, signers: {}, notifications: {} });
  const key = reference("notifications", "n", "signing_key");
  const url = reference("relayers", "r", "custom_rpc_urls.0.url");
  expect(plan.changes).toMatchObject([
    { noun: "notifications", action: "create", body: { id: "n", ...HOOK, signing_key: key }, needs: [] },
    {
      noun: "signers",
      action: "create",
      body: { id: "s", type: "plain", config: { key: reference("signers", "s", "config.key") } },
    },
    {
      noun: "relayers",
      action: "create",
      body: { id: "r", ...relayer, custom_rpc_urls: [{ url }] },
      needs: ["signers/s", "notifications/n"],
      consent: "none",
    },
  ]);
  expect(plan.changes[2]?.members).toContainEqual({
    path: "policies.min_balance",
    before: null,
    after: 5,
    default: 1n,
    at: "config.json:12:5",
  });
  expect([...secrets.keys()]).toEqual([key, reference("signers", "s", "config.key"), url]);
  expect(JSON.stringify(plan.changes.flatMap(({ body }) => body))).not.toMatch(/canary|kkkk|cccc/);
  expect(plan.same).toBe(0);
});

test.each<[string, Lists, Lists, string]>([
  [
    "the service does not have the signer",
    {},
    { signers: {} },
    'signer "s" is neither in the files nor at the service',
  ],
  [
    "the signer cannot be created",
    { signers: { s: { type: "local", config: {} } } },
    { signers: {} },
    'signer "s" cannot be created',
  ],
  [
    "another relayer of the network has the signer",
    {},
    { signers: { s: SIGNER }, relayers: { other: RELAYER } },
    'relayer "other" uses this signer',
  ],
])("cannot create a relayer if %s", async (_, desired, live, reason) => {
  const { plan } = await compared({ relayers: { r: RELAYER }, ...desired }, { relayers: {}, ...live });
  expect(plan).toMatchObject({
    changes: [],
    cannot: [{ path: "signer_id", after: "s", reason: expect.stringContaining(reason) }],
  });
});

test("cannot create what the file leaves a value out of, nor what needs it", async () => {
  const hidden = { ...HOOK, signing_key: "${" + "hidden:key}" };
  const relayers = {
    r: { ...RELAYER, notification_id: "n" },
    live: { ...RELAYER, notification_id: "n", paused: false },
  };
  const { plan } = await compared(
    { notifications: { n: hidden }, relayers },
    { notifications: {}, relayers: { live: RELAYER }, signers: { s: SIGNER } },
  );
  expect(plan.cannot).toMatchObject([
    { noun: "notifications", id: "n", path: "signing_key" },
    { noun: "relayers", id: "live", path: "notification_id", reason: 'notification "n" cannot be created' },
    { noun: "relayers", id: "r", path: "notification_id" },
    { noun: "relayers", id: "r", path: "signer_id" },
  ]);
  expect(plan.changes).toMatchObject([{ id: "live", body: { paused: false }, members: [{ path: "paused" }] }]);
});

const UNMANAGED = {
  relayers: { r: RELAYER, old: { ...RELAYER, network: "base", signer_id: "s-old", notification_id: "n-old" } },
  signers: { s: SIGNER, "s-old": SIGNER, "s-none": SIGNER },
  notifications: { "n-old": HOOK },
};
const DESIRED = { relayers: { r: RELAYER }, signers: { s: SIGNER }, notifications: {} };

test("lists what the files do not describe, and deletes it only on request, users first", async () => {
  const { plan } = await compared(DESIRED, UNMANAGED);
  expect(plan.changes).toEqual([]);
  expect(plan.unmanaged).toEqual([
    { noun: "notifications", id: "n-old" },
    { noun: "signers", id: "s-none" },
    { noun: "signers", id: "s-old" },
    { noun: "relayers", id: "old" },
  ]);
  const pruned = await compared(DESIRED, UNMANAGED, { prune: true });
  expect(pruned.plan.unmanaged).toEqual([]);
  expect(
    pruned.plan.changes.map(({ noun, id, action, consent, needs }) => [action, `${noun}/${id}`, consent, needs]),
  ).toEqual([
    ["delete", "relayers/old", "yes", []],
    ["delete", "signers/s-none", "yes", []],
    ["delete", "signers/s-old", "yes", ["relayers/old"]],
    ["delete", "notifications/n-old", "yes", ["relayers/old"]],
  ]);
});

test("does not delete what a relayer that stays still uses", async () => {
  const { relayers: _, ...others } = DESIRED;
  const { plan } = await compared(others, UNMANAGED, { prune: true });
  expect(plan.changes.map(({ id }) => id)).toEqual(["s-none"]);
  expect(plan.unmanaged.map(({ id }) => id)).toEqual(["n-old", "s-old"]);
  const { plan: unread } = await compared(
    others,
    { signers: UNMANAGED.signers, notifications: UNMANAGED.notifications },
    { prune: true },
  );
  expect(unread.changes).toEqual([]);
});

test("deletes a notification after the relayer that stops using it", async () => {
  const live = {
    relayers: { r: { ...RELAYER, notification_id: "n" } },
    signers: { s: SIGNER },
    notifications: { n: HOOK },
  };
  const { plan } = await compared(DESIRED, live, { prune: true });
  expect(plan.changes).toMatchObject([
    { action: "update", id: "r", body: { notification_id: null } },
    { action: "delete", id: "n", needs: ["relayers/r"] },
  ]);
});

test("does not compare a noun for which no file has a list", async () => {
  const { plan } = await compared({ relayers: { r: RELAYER } }, UNMANAGED, { prune: true });
  expect(plan.changes.map(({ noun, id }) => [noun, id])).toEqual([["relayers", "old"]]);
});

function countedClient(lists: Lists) {
  const { resources } = liveFleet(lists);
  const read: string[] = [];
  const listOf = (noun: keyof typeof resources) => ({
    async *list() {
      read.push(noun);
      yield {
        items: [...resources[noun].values()],
        found: [],
        total: undefined,
        body: new Uint8Array(),
        keep: () => {},
      };
    },
  });
  const client = {
    relayers: listOf("relayers"),
    signers: listOf("signers"),
    notifications: listOf("notifications"),
    networks: listOf("networks"),
    plugins: listOf("plugins"),
  };
  return { client, read };
}

test.each<[string, Lists, boolean, string[]]>([
  ["nothing but the lists of the files", { relayers: { r: RELAYER } }, false, ["relayers"]],
  ["the signers that a new relayer refers to", { relayers: { new: RELAYER } }, false, ["relayers", "signers"]],
  [
    "the notifications that a change refers to",
    { relayers: { r: { ...RELAYER, notification_id: "n" } } },
    false,
    ["relayers", "notifications"],
  ],
  ["the relayers that use what is deleted", { signers: {} }, true, ["signers", "relayers"]],
  ["no users without deletions", { signers: {} }, false, ["signers"]],
])("reads %s", async (_, files, prune, expected) => {
  const { client, read } = countedClient(UNMANAGED);
  const live = await readLiveFor(client, desiredFleet(files), { prune });
  expect(read).toEqual(expected);
  expect([...live.nouns].sort()).toEqual([...expected].sort());
});
