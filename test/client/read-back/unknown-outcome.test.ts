import { createClient } from "../../../src/client/client.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { lost, notSent, type Step, scriptedService } from "../../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

const GET = "GET /api/v1/relayers/r1";

function updated(patch: object, ...steps: Step[]) {
  const service = scriptedService({ failure: lost() }, ...steps);
  return { service, done: createClient(testClientContext(service.transport)).relayers.update("r1", patch) };
}

describe("a lost response to a patch", () => {
  test("counts as success, with the loss, if the service now has all requested values", async () => {
    const { done } = updated({ paused: true }, { expect: GET, reply: success({ id: "r1", paused: true }) });
    await expect(done).resolves.toMatchObject({
      data: { paused: true },
      lost: "the response was lost (the connection was closed)",
    });
  });

  test("stays unknown if the values differ, with the values and the time", async () => {
    const { done } = updated({ paused: true }, { expect: GET, reply: success({ id: "r1", paused: false }) });
    expect(await errorOf(done)).toMatchObject({
      failure: "unknown",
      applied: "unknown",
      message: "unknown whether the request was applied: the connection was closed",
      because: [
        "at 2026-11-21T03:12:07Z the service shows paused: requested true, got false; it may still arrive",
        "check the outcome before you send the request again",
      ],
    });
  });

  test("stays unknown if a requested URL comes back masked", async () => {
    const shown = { id: "r1", paused: true, custom_rpc_urls: [{ url: "https://h/***" }] };
    const { done } = updated({ paused: true, custom_rpc_urls: [{ url: "https://h/key" }] }, { reply: success(shown) });
    const error = await errorOf(done);
    expect(error).toMatchObject({
      failure: "unknown",
      because: expect.arrayContaining(["at 2026-11-21T03:12:07Z the service does not confirm custom_rpc_urls"]),
    });
    expect(JSON.stringify(error)).not.toContain("key");
  });

  test("stays unknown if the service shows a policy only once it is set, which is not called unreadable", async () => {
    const { done } = updated({ policies: { gas_price_cap: 80n } }, { reply: success({ id: "r1", policies: {} }) });
    expect(await errorOf(done)).toMatchObject({
      failure: "unknown",
      because: expect.arrayContaining(["at 2026-11-21T03:12:07Z the service does not confirm policies.gas_price_cap"]),
    });
  });

  test("stays unknown if the resource does not exist or cannot be read", async () => {
    const gone = updated({ paused: true }, { reply: refusal(404, "Relayer with ID r1 not found") });
    expect(await errorOf(gone.done)).toMatchObject({
      because: expect.arrayContaining(["at 2026-11-21T03:12:07Z it does not exist"]),
    });
    const down = updated({ paused: true }, ...Array<Step>(3).fill({ failure: notSent() }));
    expect(await errorOf(down.done)).toMatchObject({ failure: "unknown", applied: "unknown" });
  });

  test("is looked up in the list if the service has no route for a single resource", async () => {
    const list = success([{ id: "r0" }, { id: "r1", paused: true }], {
      current_page: 1,
      per_page: 1000,
      total_items: 2,
    });
    const { done, service } = updated(
      { paused: true },
      { expect: GET, reply: refusal(404, "Not found") },
      { expect: "GET /api/v1/relayers?page=1&per_page=1000", reply: list },
    );
    await expect(done).resolves.toMatchObject({ data: { id: "r1" } });
    expect(service.left()).toBe(0);
  });

  test("stays unknown, but mentions an accepting status that was received", async () => {
    const service = scriptedService({ failure: lost("reset", 200) }, { reply: success({ id: "r1", paused: false }) });
    const done = createClient(testClientContext(service.transport)).relayers.update("r1", { paused: true });
    expect(await errorOf(done)).toMatchObject({
      because: expect.arrayContaining(["the service accepted it (status 200), details are unknown"]),
    });
  });
});

describe("a lost response to a creation", () => {
  const url = "https://h.example";

  test("counts as success if the generated ID exists", async () => {
    const service = scriptedService(
      { failure: lost() },
      {
        expect: "GET /api/v1/notifications/11111111-2222-4333-8444-555555555555",
        reply: success({ id: "11111111-2222-4333-8444-555555555555", url, has_signing_key: true }),
      },
    );
    const done = createClient(testClientContext(service.transport)).notifications.create({ url, signing_key: "k" });
    await expect(done).resolves.toMatchObject({ unconfirmed: ["signing_key"], lost: expect.any(String) });
    expect(service.requests[0]?.body).toContain('"id":"11111111-2222-4333-8444-555555555555"');
  });

  test("stays unknown for an ID from the user, even if the ID exists", async () => {
    const service = scriptedService(
      { reply: refusal(500, "An unknown error occurred") },
      { reply: success({ id: "n1", url }) },
    );
    const error = await errorOf(
      createClient(testClientContext(service.transport)).notifications.create({ url, id: "n1" }),
    );
    expect(error).toMatchObject({
      failure: "unknown",
      because: [
        "at 2026-11-21T03:12:07Z the service shows the requested values, which proves nothing here",
        "check the outcome before you send the request again",
      ],
    });
  });
});

test.each([
  [false, "yes"],
  [true, "unknown"],
])("a lost response to the removal of a signing key has_signing_key %s: %s", async (has_signing_key, applied) => {
  const service = scriptedService({ failure: lost() }, { reply: success({ id: "n1", has_signing_key }) });
  const done = createClient(testClientContext(service.transport)).notifications.update("n1", { signing_key: "" });
  const outcome = await done.then(
    () => "yes",
    (error: { applied: string }) => error.applied,
  );
  expect(outcome).toBe(applied);
});

test("the outcome of setting a key stays unknown, since keys cannot be compared", async () => {
  const service = scriptedService({ failure: lost() }, { reply: success({ id: "n1", has_signing_key: true }) });
  const done = createClient(testClientContext(service.transport)).notifications.update("n1", { signing_key: "s3cret" });
  const error = await errorOf(done);
  expect(error).toMatchObject({
    failure: "unknown",
    because: expect.arrayContaining(["at 2026-11-21T03:12:07Z the service does not confirm signing_key"]),
  });
  expect(JSON.stringify([error, error.message])).not.toContain("s3cret");
});

test("reads a replacement back after a lost response, but does not conclude success or send the request again", async () => {
  const service = scriptedService(
    { expect: "PUT /api/v1/relayers/r1/transactions/t1", failure: lost("timeout") },
    { expect: "GET /api/v1/relayers/r1/transactions/t1", reply: success({ id: "t1", value: "0x1" }) },
  );
  const done = createClient(testClientContext(service.transport)).tx.replace("r1", "t1", { value: 1 });
  expect(await errorOf(done)).toMatchObject({ failure: "unknown", applied: "unknown", retryable: false });
  expect(service.left()).toBe(0);
});

describe("the service's message for an inconclusive status", () => {
  const url = "https://h.example";
  const words = "Failed to derive: provider error at https://rpc.example/v3/secret-key";
  const because = "the service responded with 500: Failed to derive: provider error at https://rpc.example/***";

  test("is shown in the error for an unknown outcome, with masked URLs", async () => {
    const service = scriptedService({ reply: refusal(500, words) }, { reply: refusal(404, "Not found: n1") });
    const error = await errorOf(
      createClient(testClientContext(service.transport)).notifications.create({ url, id: "n1" }),
    );
    expect(error.message).toBe(`unknown whether the request was applied: ${because}`);
    expect(error).toMatchObject({ because: expect.arrayContaining(["at 2026-11-21T03:12:07Z it does not exist"]) });
  });

  test.each([
    [reply(504, "Request handler timeout"), "the service responded with 504: Request handler timeout"],
    [reply(502, "<html>bad</html>"), "the service responded with 502; the response is HTML; it may come from a proxy"],
    [reply(503), "the service responded with 503"],
    [refusal(200, "Not implemented"), "the service reported a failure: Not implemented"],
  ])("%#: %s", async (answer, told) => {
    const service = scriptedService({ reply: answer }, { reply: success({ id: "r1", paused: false }) });
    const error = await errorOf(
      createClient(testClientContext(service.transport)).relayers.update("r1", { paused: true }),
    );
    expect(error.message).toBe(`unknown whether the request was applied: ${told}`);
  });

  test("is kept for a creation that is found afterwards", async () => {
    const id = "11111111-2222-4333-8444-555555555555";
    const service = scriptedService({ reply: refusal(500, words) }, { reply: success({ id, url }) });
    const created = createClient(testClientContext(service.transport)).notifications.create({ url });
    await expect(created).resolves.toMatchObject({ lost: because });
  });
});

test("does not read a plugin call back after a lost response, and reports no failed read", async () => {
  const service = scriptedService({ failure: lost() });
  const error = await errorOf(createClient(testClientContext(service.transport)).plugins.call("p1", { body: {} }));
  expect(error).toMatchObject({
    because: ["a call cannot be read back", "check the outcome before you send the request again"],
  });
});
