import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { refusal, reply, type Step, scriptedService, success } from "../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

const LIST = "GET /api/v1/notifications?page=1&per_page=1000";
const one = { current_page: 1, per_page: 1000, total_items: 1 };

function get(id: string, ...steps: Step[]) {
  const service = scriptedService(...steps);
  return { service, done: createClient(testClientContext(service.transport)).notifications.get(id) };
}

describe("a thing is looked up by its own route", () => {
  test("and is then what that says", async () => {
    const { done } = get("n1", { expect: "GET /api/v1/notifications/n1", reply: success({ id: "n1" }) });
    await expect(done).resolves.toMatchObject({ data: { id: "n1" } });
  });

  test.each(["Notification with ID 'n1' not found", "Notification with ID n1 not found", "n1: not found"])(
    "a 404 that names the id is believed: %s",
    async (words) => {
      const { done, service } = get("n1", { reply: refusal(404, words) });
      expect(await errorOf(done)).toMatchObject({ failure: "not_found", message: words });
      expect(service.requests).toHaveLength(1);
    },
  );
});

describe("a service without that route is asked for its list", () => {
  test.each([
    ["404 in the interface's words", refusal(404, "Notification not found"), "n1"],
    ["404 whose words hold the id by chance", refusal(404, "Notification not found"), "o"],
    ["404 without a word", reply(404), "n1"],
    ["404 of something else", reply(404, "<html>nginx</html>"), "nginx"],
    ["405", reply(405), "n1"],
  ])("%s", async (_, answer, id) => {
    const { done, service } = get(id, { reply: answer }, { expect: LIST, reply: success([{ id }], one) });
    await expect(done).resolves.toMatchObject({ data: { id } });
    expect(service.left()).toBe(0);
  });

  test("and when it is not there either, it is not found", async () => {
    const { done } = get("n1", { reply: reply(404) }, { reply: success([{ id: "n2" }], one) });
    expect(await errorOf(done)).toMatchObject({ failure: "not_found", message: expect.stringContaining("n1") });
  });

  test("but when the list is not complete, nobody knows", async () => {
    const two = { ...one, total_items: 2 };
    const { done } = get(
      "n1",
      { reply: reply(404) },
      { reply: success([{ id: "n2" }], two) },
      { reply: success([{ id: "n2" }], two) },
    );
    expect(await errorOf(done)).toMatchObject({ failure: "server" });
  });
});

test("by its route alone, the list is never walked", async () => {
  const service = scriptedService({ reply: reply(404) });
  const done = createClient(testClientContext(service.transport)).relayers.get("r1", { byRoute: true });
  expect(await errorOf(done)).toMatchObject({ failure: "rejected", http: { status: 404 } });
});

test.each([401, 403, 400])("a %i is no reason to walk the list", async (status) => {
  const { done, service } = get("n1", { reply: refusal(status, "no") });
  await errorOf(done);
  expect(service.requests).toHaveLength(1);
});
