import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { lost, refusal, type Step, scriptedService, success } from "../helpers/scripted-service.ts";
import { errorOf, testLink } from "../helpers/test-link.ts";

function clientOf(...steps: Step[]) {
  const service = scriptedService(...steps);
  return { service, client: createClient(testLink(service.exchange)) };
}

test("a removal is answered with the service's own sentence", async () => {
  const { client, service } = clientOf({ reply: success('"Notification deleted successfully"') });
  await client.notifications.delete("n1");
  expect(service.asked()).toEqual(["DELETE /api/v1/notifications/n1"]);
});

describe("a lost answer to a removal", () => {
  test("is a yes when the thing is gone", async () => {
    const { client } = clientOf(
      { failure: lost() },
      { expect: "GET /api/v1/signers/s1", reply: refusal(404, "Signer with ID s1 not found") },
    );
    await expect(client.signers.delete("s1")).resolves.toMatchObject({ lost: "the connection was closed" });
  });

  test("stays unknown while the thing is there, and is never sent again", async () => {
    const { client, service } = clientOf(
      { failure: lost() },
      { expect: "GET /api/v1/relayers/r1", reply: success({ id: "r1" }) },
    );
    expect(await errorOf(client.relayers.delete("r1"))).toMatchObject({
      failure: "unknown",
      applied: "unknown",
      because: [
        "at 2026-11-21T03:12:07Z the service still shows it; the request may still arrive",
        "do not send it again before looking",
      ],
    });
    expect(service.left()).toBe(0);
  });

  test("stays unknown when it cannot be looked up", async () => {
    const { client } = clientOf({ failure: lost() }, { reply: refusal(401, "Unauthorized") });
    expect(await errorOf(client.relayers.delete("r1"))).toMatchObject({ failure: "unknown" });
  });
});

describe("a lost answer to a cancellation", () => {
  const GET = "GET /api/v1/relayers/r1/transactions/t1";

  test.each([
    { id: "t1", status: "canceled" },
    { id: "t1", status: "submitted", is_canceled: true },
  ])("is a yes when the transaction says so: %j", async (seen) => {
    const { client } = clientOf({ failure: lost() }, { expect: GET, reply: success(seen) });
    await expect(client.tx.cancel("r1", "t1")).resolves.toMatchObject({
      data: seen,
      lost: "the connection was closed",
    });
  });

  test.each([
    { id: "t1", status: "submitted", is_canceled: false },
    { id: "t1", status: "submitted" },
  ])("stays unknown when it does not: %j", async (seen) => {
    const { client } = clientOf({ failure: lost() }, { expect: GET, reply: success(seen) });
    expect(await errorOf(client.tx.cancel("r1", "t1"))).toMatchObject({ failure: "unknown", applied: "unknown" });
  });
});
