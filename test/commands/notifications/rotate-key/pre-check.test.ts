import { createHmac } from "node:crypto";
import { type Transport, TransportFailure } from "../../../../src/client/transport/transport.ts";
import type { WireRequest } from "../../../../src/contract/wire.ts";
import { memoryStore } from "../../../../src/embedded-server/state/store.ts";
import { cli, ends, exits, type World } from "../../../helpers/cli.ts";
import { GENERATED_KEY } from "../../../helpers/scan.ts";
import { demoStore, seedState } from "../../../helpers/seed-state.ts";
import { reply } from "../../../helpers/service/reply.ts";

const NEW = "a-new-key-of-more-than-32-characters-x";
const OLD = "the-old-key-of-more-than-32-characters";
const files = { new: NEW, old: OLD };
const ORIGIN = "http://10.0.0.9:8080";
const ROTATE = "notifications rotate-key ops-hook --signing-key-file new --pre-check --yes";
const SIGNED_NEW = "a test delivery signed with the new key";

function world(receiver: Transport, url = `${ORIGIN}/hook?team=ops`) {
  const state = seedState("demo");
  state.notifications.put({ id: "ops-hook", type: "webhook", url, signing_key: OLD });
  const deliveries: WireRequest[] = [];
  const nodes: World["nodes"] = {
    [new URL(url).origin]: async (request, limits) => {
      deliveries.push(request);
      return await receiver(request, limits);
    },
  };
  return { deliveries, state, world: { files, store: memoryStore(state), nodes } satisfies World };
}

const accepting =
  (...keys: string[]): Transport =>
  async ({ headers, body = "" }) => {
    const signatures = keys.map((key) => createHmac("sha256", key).update(body).digest("base64"));
    return reply(signatures.includes(headers["x-signature"] ?? "") ? 204 : 401, "");
  };

test("sends an event that shows that it is a test, signed with the new key, to the URL of the notification", async () => {
  const { deliveries, world: made } = world(accepting(NEW));
  const ran = await ends({ exitCode: 0, writes: [{ method: "PATCH" }] }, ROTATE, made);
  expect(ran.stderr).toMatch(/^the receiver accepted a test delivery signed with the new key \(204, \d+ ms\)\n/);
  expect(deliveries).toMatchObject([
    {
      method: "POST",
      target: "/hook?team=ops",
      headers: { "content-type": "application/json", "x-signature": expect.stringMatching(/^[\w+/]{43}=$/) },
    },
  ]);
  const event = JSON.parse(deliveries[0]?.body ?? "");
  expect(event).toMatchObject({
    event: "transaction_update",
    payload: { payload_type: "transaction", status_reason: "test delivery of relayctl", relayer_id: "relayctl-test" },
  });
  expect([event.payload.status, event.payload.confirmed_at]).toEqual(["submitted", null]);
  expect(event.id).not.toBe(event.payload.id);
});

test("with the old key, requires that the receiver accepts both", async () => {
  const both = world(accepting(NEW, OLD));
  expect(await cli(`${ROTATE} --old-key-file old`, both.world)).toMatchObject({ exitCode: 0, writes: [{}] });
  const ids = both.deliveries.map(({ body = "" }) => JSON.parse(body).id);
  expect(new Set(ids).size).toBe(2);
  const one = world(accepting(NEW));
  const ran = await ends({ exitCode: 13, writes: [] }, `${ROTATE} --old-key-file old`, one.world);
  expect(ran.stderr).toContain("error: a test delivery signed with the old key was not accepted: ");
});

const refusing: Transport = async () => {
  throw new TransportFailure("connect", "cannot connect to 10.0.0.9:8080: refused", { sent: false });
};
const silent: Transport = async () => {
  throw new TransportFailure("timeout", "no response within 30 s", { sent: true });
};

test.each<[string, Transport, string]>([
  ["refuses the key", accepting(OLD), `${SIGNED_NEW} was not accepted: the receiver responded 401`],
  ["fails", async () => reply(503, "busy\nmore"), `${SIGNED_NEW} was not accepted: the receiver responded 503: busy`],
  [
    "redirects",
    async () => reply(302, "", { location: "https://user:pass@login.example/x" }),
    `${SIGNED_NEW} was not accepted: the receiver responded 302, a redirect to https://login.example/x: the service would follow it with a GET, which has no body`,
  ],
  ["cannot be reached", refusing, "the receiver cannot be reached from this machine: cannot connect to 10.0.0.9:8080"],
  ["is silent", silent, "the receiver cannot be reached from this machine: no response within 30 s"],
])("changes nothing if the receiver %s", async (_, receiver, message) => {
  const { state, world: made } = world(receiver);
  const ran = await ends({ exitCode: 13, stdout: "", writes: [] }, ROTATE, made);
  expect(ran.stderr).toContain(`error: ${message}`);
  expect(ran.stderr).toMatch(
    / {2}nothing was changed\n {2}hint: relayctl notifications rotate-key ops-hook --signing-key-file new --pre-check\n$/,
  );
  expect(state.notifications.get("ops-hook")?.signing_key).toBe(OLD);
});

test("keeps the file of a generated key that is not accepted yet, for the next try", async () => {
  const { world: made } = world(accepting(GENERATED_KEY));
  const created = new Map<string, string>();
  const line = "notifications rotate-key ops-hook --generate --key-out n.key --pre-check --yes";
  const refused = await cli(line, { ...made, created, nodes: { [ORIGIN]: accepting(OLD) } });
  expect(refused).toMatchObject({ exitCode: 13, writes: [] });
  const [, hint = ""] = / {2}hint: relayctl (.*)\n$/.exec(refused.stderr) ?? [];
  expect(refused.stderr).toContain("  the new key stays in n.key; the service does not use it\n");
  expect(await cli(`${hint} --yes`, { ...made, created })).toMatchObject({ exitCode: 0, writes: [{}] });
});

test.each(["ftp://10.0.0.9/hook", "mailto:ops@10.0.0.9"])("sends nothing to %s", async (url) => {
  const { world: made } = world(accepting(NEW));
  made.store = demoStore();
  await made.store.change(({ notifications }) => notifications.put({ id: "ops-hook", type: "webhook", url }));
  const ran = await ends({ exitCode: 13, writes: [] }, ROTATE, made);
  expect(ran.stderr).toContain(`error: nothing can be delivered to the URL of the notification: must begin with`);
});

test("sends nothing from the demo to the names of its notifications", async () => {
  const ran = await cli(`--demo ${ROTATE}`, { files, nodes: { "https://hooks.example.org": refusing } });
  expect(ran).toMatchObject({ exitCode: 13, writes: [] });
  expect(ran.stderr).toContain("the demo sends nothing to names that are reserved for examples");
});

test.each(["--dry-run", "--curl"])("sends nothing with %s, and says so", async (flag) => {
  const { deliveries, world: made } = world(accepting(NEW));
  const ran = await ends({ exitCode: 0, requests: [] }, `${ROTATE.replace(" --yes", "")} ${flag}`, made);
  expect(ran.stderr).toContain("note: a dry run sends no test delivery\n");
  expect(deliveries).toEqual([]);
});

test("comes after the question, and not at all without consent", async () => {
  const { deliveries, world: made } = world(accepting(NEW));
  const line = ROTATE.replace(" --yes", "");
  expect(await cli(line, made)).toMatchObject({ exitCode: 3, requests: [] });
  expect(await cli(line, { ...made, terminal: true, answers: [false] })).toMatchObject({ exitCode: 3, writes: [] });
  expect(deliveries).toEqual([]);
  expect(await cli(line, { ...made, terminal: true, answers: [true] })).toMatchObject({ exitCode: 0 });
  expect(deliveries).toHaveLength(1);
});

test("a response that echoes the key is not printed as it is", async () => {
  const { world: made } = world(async () => reply(401, `bad key ${NEW}\u001b[2J`));
  const ran = await exits(13, ROTATE, made);
  expect(ran.stderr).not.toContain(NEW);
  expect(ran.stderr).not.toContain("\u001b");
});
