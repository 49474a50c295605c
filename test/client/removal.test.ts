import { createClient } from "../../src/client/client.ts";
import { whyEarlier } from "../../src/client/earlier-transaction.ts";
import { TransportFailure } from "../../src/client/transport/transport.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { LISTED_TIMEOUT } from "../../src/timing.ts";
import { refusal, reply, success } from "../helpers/service/reply.ts";
import { lost, type Step, scriptedService } from "../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

function clientOf(...steps: Step[]) {
  const service = scriptedService(...steps);
  return { service, client: createClient(testClientContext(service.transport)) };
}

test("accepts the service's sentence as the response to a removal", async () => {
  const { client, service } = clientOf({ reply: success('"Notification deleted successfully"') });
  await client.notifications.delete("n1");
  expect(service.asked()).toEqual(["DELETE /api/v1/notifications/n1"]);
});

describe("a lost response to a removal", () => {
  test("counts as success if the resource is gone", async () => {
    const { client } = clientOf(
      { failure: lost() },
      { expect: "GET /api/v1/signers/s1", reply: refusal(404, "Signer with ID s1 not found") },
    );
    await expect(client.signers.delete("s1")).resolves.toMatchObject({
      lost: "the response was lost (the connection was closed)",
    });
  });

  test("stays unknown if the resource still exists, and the request is not sent again", async () => {
    const { client, service } = clientOf(
      { failure: lost() },
      { expect: "GET /api/v1/relayers/r1", reply: success({ id: "r1" }) },
    );
    expect(await errorOf(client.relayers.delete("r1"))).toMatchObject({
      failure: "unknown",
      applied: "unknown",
      because: [
        "at 2026-11-21T03:12:07Z the service still shows it; the request may still arrive",
        "check the outcome before you send the request again",
      ],
    });
    expect(service.left()).toBe(0);
  });

  test("stays unknown if the resource cannot be read", async () => {
    const { client } = clientOf({ failure: lost() }, { reply: refusal(401, "Unauthorized") });
    expect(await errorOf(client.relayers.delete("r1"))).toMatchObject({ failure: "unknown" });
  });
});

describe("a lost response to a cancellation", () => {
  const GET = "GET /api/v1/relayers/r1/transactions/t1";

  test.each([
    { id: "t1", status: "canceled" },
    { id: "t1", status: "submitted", is_canceled: true },
  ])("counts as success if the transaction is canceled: %j", async (seen) => {
    const { client } = clientOf({ failure: lost() }, { expect: GET, reply: success(seen) });
    await expect(client.tx.cancel("r1", "t1")).resolves.toMatchObject({
      data: seen,
      lost: "the response was lost (the connection was closed)",
    });
  });

  test.each([
    { id: "t1", status: "submitted", is_canceled: false },
    { id: "t1", status: "submitted" },
  ])("stays unknown if the transaction is not canceled: %j", async (seen) => {
    const { client } = clientOf({ failure: lost() }, { expect: GET, reply: success(seen) });
    expect(await errorOf(client.tx.cancel("r1", "t1"))).toMatchObject({ failure: "unknown", applied: "unknown" });
  });

  test.each([{ value: "0x5" }, { relayer_id: "r2" }])(
    "stays unknown despite is_canceled if another field contradicts: %j",
    async (fields) => {
      const seen = { id: "t1", status: "submitted", is_canceled: true, ...fields };
      const { client } = clientOf({ failure: lost() }, { expect: GET, reply: success(seen) });
      expect(await errorOf(client.tx.cancel("r1", "t1"))).toMatchObject({ failure: "unknown", applied: "unknown" });
    },
  );

  test("a response with another relayer's transaction leaves the outcome unknown", async () => {
    const record = { id: "t1", relayer_id: "r2", status: "canceled" };
    const { client } = clientOf({ reply: success(record) });
    expect(await errorOf(client.tx.cancel("r1", "t1"))).toMatchObject({ failure: "mismatch", applied: "unknown" });
  });

  test("stays unknown if the transaction is gone, since the service deletes every finished transaction", async () => {
    const words = "Transaction with ID t1 not found";
    const { client } = clientOf({ failure: lost() }, { expect: GET, reply: refusal(404, words) });
    expect(await errorOf(client.tx.cancel("r1", "t1"))).toMatchObject({ failure: "unknown", applied: "unknown" });
  });
});

describe("a successful response to a cancellation", () => {
  const NOOP = { from: "0xAb", to: "0xaB", value: "0x0", data: "0x" };

  test.each([
    { id: "t1", status: "canceled" },
    { id: "t1", status: "submitted", is_canceled: true },
    { id: "t1", status: "submitted", ...NOOP },
  ])("is accepted if the record shows the cancellation: %j", async (record) => {
    const { client } = clientOf({ reply: success(record) });
    await expect(client.tx.cancel("r1", "t1")).resolves.toMatchObject({ data: record });
  });

  test.each<[object, "evm" | "stellar" | undefined, string, string]>([
    [{ id: "t1", status: "submitted" }, "stellar", "no", "the service does not cancel Stellar transactions"],
    [{ id: "t1", status: "submitted", source_account: "G" }, "evm", "unknown", "the record shows no cancellation"],
    [{ id: "t1", status: "submitted", source_account: "G" }, undefined, "unknown", "the record shows no cancellation"],
    [{ id: "t1", status: "submitted", ...NOOP, value: "0x1" }, "evm", "unknown", "the record shows no cancellation"],
  ])("is a mismatch if nothing was canceled: %j of %s", async (record, kind, applied, because) => {
    const { client } = clientOf({ reply: success(record) });
    expect(await errorOf(client.tx.cancel("r1", "t1", { kind }))).toMatchObject({
      failure: "mismatch",
      message: "the service reported success but canceled nothing",
      applied,
      because: [because],
    });
  });
});

const TIME = Date.parse("2026-11-21T03:05:15Z");
const UNREADABLE = { holderOf: async () => undefined, shown: async () => null };

function whyEarlierThan(created_at: string): Promise<string | undefined> {
  return whyEarlier({ data: { id: "tx-1", created_at } }, { time: TIME, took: 100 }, UNREADABLE);
}

test("a response that looks older than its request is in doubt if earlier transactions cannot be read", () =>
  expect(whyEarlierThan("2026-11-21T03:00:00Z")).rejects.toThrow("earlier ones cannot be read"));

test("a response that looks new is believed although earlier transactions cannot be read", async () =>
  expect(await whyEarlierThan("2026-11-21T03:05:14Z")).toBeUndefined());

test("a list that never comes ends after its own time limit, and the payment is sent once", async () => {
  const sent: string[] = [];
  const link = testClientContext(
    ({ method }: WireRequest, { signal }) => {
      sent.push(method);
      if (method === "POST") return Promise.resolve(success('{"id":"t1","status":"pending"}'));
      return new Promise((_, reject) => {
        const end = () => reject(new TransportFailure("timeout", "no response", { sent: true }));
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
      });
    },
    { retries: 0 },
  );
  let why: Error | undefined;
  const log = {
    async begin(_: unknown, __: unknown, listed?: () => Promise<ReadonlySet<unknown>>) {
      why = listed && (await errorOf(listed()));
      return undefined;
    },
  };
  const client = createClient({ ...link, log });
  const { data } = await client.tx.send("r1", { to: "0x12", value: 1n });
  expect(data).toMatchObject({ id: "t1" });
  expect(why).toMatchObject({ failure: "network" });
  expect(link.waits).toEqual([LISTED_TIMEOUT]);
  expect(sent).toEqual(["GET", "POST"]);
});

const LIST = "GET /api/v1/notifications?page=1&per_page=1000";
const one = { current_page: 1, per_page: 1000, total_items: 1 };

function get(id: string, ...steps: Step[]) {
  const service = scriptedService(...steps);
  return { service, done: createClient(testClientContext(service.transport)).notifications.get(id) };
}

describe("a resource with its own route", () => {
  test("is returned from that route", async () => {
    const { done } = get("n1", { expect: "GET /api/v1/notifications/n1", reply: success({ id: "n1" }) });
    await expect(done).resolves.toMatchObject({ data: { id: "n1" } });
  });

  test.each(["Notification with ID 'n1' not found", "Notification with ID n1 not found", "n1: not found"])(
    "is not found if the message of the 404 has the ID: %s",
    async (words) => {
      const { done, service } = get("n1", { reply: refusal(404, words) });
      expect(await errorOf(done)).toMatchObject({ failure: "not_found", message: words });
      expect(service.requests).toHaveLength(1);
    },
  );
});

describe("a service without that route is searched by its list", () => {
  test.each([
    ["404 with the message of the interface", refusal(404, "Notification not found"), "n1"],
    ["404 with a message that contains the ID by chance", refusal(404, "Notification not found"), "o"],
    ["404 without a message", reply(404), "n1"],
    ["404 from another server", reply(404, "<html>nginx</html>"), "nginx"],
    ["405", reply(405), "n1"],
  ])("%s", async (_, answer, id) => {
    const { done, service } = get(id, { reply: answer }, { expect: LIST, reply: success([{ id }], one) });
    await expect(done).resolves.toMatchObject({ data: { id } });
    expect(service.left()).toBe(0);
  });

  test("and the resource is not found if the list does not have it", async () => {
    const { done } = get("n1", { reply: reply(404) }, { reply: success([{ id: "n2" }], one) });
    expect(await errorOf(done)).toMatchObject({ failure: "not_found", message: expect.stringContaining("n1") });
  });

  test("and the search fails if the list is incomplete", async () => {
    const two = { ...one, total_items: 2 };
    const { done } = get(
      "n1",
      { reply: reply(404) },
      { reply: success([{ id: "n2" }], two) },
      { reply: success([{ id: "n2" }], two) },
      { reply: success([{ id: "n2" }], two) },
      { reply: success([], two) },
    );
    expect(await errorOf(done)).toMatchObject({ failure: "server" });
  });
});

test("does not walk the list if only the route may be used", async () => {
  const service = scriptedService({ reply: reply(404) });
  const done = createClient(testClientContext(service.transport)).relayers.get("r1", { byRoute: true });
  expect(await errorOf(done)).toMatchObject({ failure: "rejected", http: { status: 404 } });
});

test.each([401, 403, 400])("does not walk the list after a %i", async (status) => {
  const { done, service } = get("n1", { reply: refusal(status, "no") });
  await errorOf(done);
  expect(service.requests).toHaveLength(1);
});
