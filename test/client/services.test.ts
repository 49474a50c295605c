import { type Client, createClient } from "../../src/client/client.ts";
import type { Transport } from "../../src/client/transport/transport.ts";
import { type JsonObject, parseJson } from "../../src/contract/json.ts";
import { interfaceFixtures } from "../helpers/service/interface-fixtures.ts";
import { interfaceService } from "../helpers/service/interface-service.ts";
import { refusal } from "../helpers/service/reply.ts";
import { testServer } from "../helpers/service/test-server.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

const clientOf = (transport: Transport, token = "test-token") => createClient(testClientContext(transport, { token }));
const U128 = 2n ** 128n - 1n;

async function idsOf(pages: ReturnType<Client["relayers"]["list"]>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { items } of pages) ids.push(...items.map(({ id }) => String(id)));
  return ids.sort();
}

describe("a service that responds exactly as the interface describes", () => {
  const client = clientOf(interfaceService());

  test("lists resources", async () => {
    expect(await idsOf(client.relayers.list())).toEqual(["relayer-1"]);
    expect(await idsOf(client.notifications.list({ page: 1 }))).toEqual(["notification-1"]);
  });

  test("has no route for one resource, which is found in the list with every digit", async () => {
    const { data } = await client.relayers.get("relayer-1");
    expect((data.policies as JsonObject).gas_price_cap).toBe(U128);
    await expect(client.notifications.get("notification-1")).resolves.toMatchObject({ data: { type: "webhook" } });
  });

  const requests = interfaceFixtures("requests").map(({ name, text }) => ({
    name,
    body: parseJson(text) as JsonObject,
  }));

  test.each(requests.filter(({ name }) => name.startsWith("relayers.update")))("accepts $name", async ({ body }) => {
    await expect(client.relayers.update("relayer-1", body)).resolves.toMatchObject({ unconfirmed: [] });
  });

  test.each(requests.filter(({ name }) => name.startsWith("tx.replace")))("accepts $name", async ({ body }) => {
    const answer = await client.tx.replace("relayer-1", "transaction-1", body as never);
    const known = ["speed", "source_account"];
    expect(answer.unconfirmed.filter((path) => body[path] !== null && !known.includes(path))).toEqual([]);
  });

  test.each(requests.filter(({ name }) => name.startsWith("notifications.update")))(
    "accepts $name",
    async ({ body }) => {
      const answer = await client.notifications.update("notification-1", body as never);
      expect(answer.unconfirmed).toEqual(body.signing_key ? ["signing_key"] : []);
    },
  );

  test("creates a notification with an ID and without one", async () => {
    const url = "https://hooks.example.org/relayer";
    await expect(client.notifications.create({ url, id: "new" })).resolves.toMatchObject({ data: { id: "new" } });
    await expect(client.notifications.create({ url })).resolves.toMatchObject({ data: { url }, unconfirmed: [] });
  });

  describe("and its errors, each with its exit code", () => {
    const failing = (status: number, words: string) => clientOf(interfaceService({ failure: refusal(status, words) }));
    const list = (each: Client) => idsOf(each.relayers.list());
    const pause = (id: string) => (each: Client) => each.relayers.update(id, { paused: true });
    const replace = (id: string) => (each: Client) => each.tx.replace("relayer-1", id, { value: 1 });

    test.each<[string, Client, (client: Client) => Promise<unknown>, number]>([
      ["Bad Request", client, (each) => each.tx.replace("relayer-1", "transaction-1", {} as never), 7],
      ["Bad Request", failing(400, "Bad Request"), list, 7],
      ["Unauthorized", clientOf(interfaceService(), "wrong"), list, 4],
      ["Unauthorized", clientOf(interfaceService(), "wrong"), pause("relayer-1"), 4],
      ["Not found", client, replace("zz"), 5],
      ["Relayer with ID zz not found", client, pause("zz"), 5],
      ["Notification not found", client, (each) => each.notifications.update("zz", { url: "https://h" }), 5],
      [
        "Notification with this ID already exists",
        client,
        (each) => each.notifications.create({ url: "https://h", id: "notification-1" }),
        6,
      ],
      ["Too Many Requests", failing(429, "Too Many Requests"), list, 8],
      ["Too Many Requests", failing(429, "Too Many Requests"), pause("relayer-1"), 8],
      ["Too Many Requests", failing(429, "Too Many Requests"), replace("transaction-1"), 8],
      ["Internal Server Error", failing(500, "Internal Server Error"), list, 9],
    ])("%s", async (words, each, send, exitCode) => {
      expect(await errorOf(send(each))).toMatchObject({ exitCode, message: words, applied: "no" });
    });

    test("leaves a write unknown after an Internal Server Error", async () => {
      const error = await errorOf(replace("transaction-1")(failing(500, "Internal Server Error")));
      expect(error).toMatchObject({ exitCode: 11, applied: "unknown" });
    });
  });
});

describe("a service that responds like the real one", () => {
  const opened = (token?: string) => clientOf(testServer({ isReal: true, token: "test-token" }), token);
  const client = opened();
  const bumped = ["polygon-bulk", "d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293"] as const;
  const to = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

  test("lists everything, in one page or in many", async () => {
    const relayers = await idsOf(client.relayers.list());
    expect(relayers).toHaveLength(8);
    expect(await idsOf(client.relayers.list({ perPage: 2 }))).toEqual(relayers);
    expect(await idsOf(client.notifications.list({ perPage: 1 }))).toEqual(["audit-log", "ops-hook", "treasury-hook"]);
  });

  test("has a route for each resource", async () => {
    await expect(client.relayers.get("base-hot")).resolves.toMatchObject({ data: { id: "base-hot" } });
    await expect(client.notifications.get("ops-hook")).resolves.toMatchObject({ data: { id: "ops-hook" } });
    await expect(client.tx.get(...bumped)).resolves.toMatchObject({ data: { id: bumped[1] } });
  });

  test("accepts a cap beyond 2^64 in its own format, and returns every digit", async () => {
    const answer = await client.relayers.update("base-hot", { policies: { gas_price_cap: U128 } });
    expect((answer.data.policies as JsonObject).gas_price_cap).toBe(U128);
    expect(answer.unconfirmed).toEqual([]);
  });

  test("masks URLs, which stay unconfirmed", async () => {
    const custom_rpc_urls = [{ url: "https://node.example/v3/NEW" }];
    const answer = await client.relayers.update("base-hot", { custom_rpc_urls });
    expect(answer.unconfirmed).toEqual(["custom_rpc_urls"]);
  });

  test("clears fields set to null", async () => {
    const cleared = { notification_id: null, custom_rpc_urls: null, policies: { gas_price_cap: null } };
    expect((await client.relayers.update("base-hot", cleared)).unconfirmed).toEqual([]);
  });

  test("replaces a transaction, also with a value in its own format", async () => {
    for (const value of [7, 2n ** 64n]) {
      const fields = { to, value, gas_limit: null, speed: "fastest" } as const;
      await expect(client.tx.replace(...bumped, fields)).resolves.toMatchObject({ unconfirmed: [] });
    }
  });

  test("creates a notification with a 201, and updates one", async () => {
    const signing_key = "k".repeat(32);
    await expect(client.notifications.create({ url: "https://h.example" })).resolves.toMatchObject({ unconfirmed: [] });
    await expect(client.notifications.update("audit-log", { signing_key })).resolves.toMatchObject({
      unconfirmed: ["signing_key"],
    });
    await expect(client.notifications.update("audit-log", { signing_key: "" })).resolves.toMatchObject({
      unconfirmed: [],
    });
  });

  describe("and its own messages", () => {
    const pause = (id: string) => (each: Client) => each.relayers.update(id, { paused: true });

    test.each<[string, (client: Client) => Promise<unknown>, number]>([
      ["Relayer with ID zz not found", (each) => each.relayers.get("zz"), 5],
      ["Notification with ID 'zz' not found", (each) => each.notifications.get("zz"), 5],
      ["Transaction with ID zz not found", (each) => each.tx.get("base-hot", "zz"), 5],
      ["Relayer with ID zz not found", pause("zz"), 5],
      ["Relayer is disabled", pause("xlm-pay"), 6],
      ["Relayer disabled", (each) => each.tx.replace("eth-sepolia", "t1", { value: 1 }), 6],
    ])("%s", async (words, send, exitCode) => {
      expect(await errorOf(send(client))).toMatchObject({ exitCode, message: words, applied: "no" });
    });

    test("ignores a requested price, which is reported", async () => {
      const error = await errorOf(client.tx.replace(...bumped, { to, value: 1, gas_price: 5 }));
      const because = expect.arrayContaining([expect.stringMatching(/^gas_price: requested 5, got/)]);
      expect(error).toMatchObject({ exitCode: 14, applied: "unknown", because });
    });

    test("has two kinds of 401, which are reported alike", async () => {
      const bare: Transport = (request) => testServer({ isReal: true })({ ...request, headers: {} });
      for (const each of [opened("wrong"), clientOf(bare)])
        expect(await errorOf(each.relayers.get("base-hot"))).toMatchObject({ exitCode: 4, message: "Unauthorized" });
    });
  });
});
