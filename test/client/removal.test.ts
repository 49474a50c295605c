import { createClient } from "../../src/client/client.ts";
import { refusal, success } from "../helpers/service/reply.ts";
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
