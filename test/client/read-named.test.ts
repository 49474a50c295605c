import { createClient } from "../../src/client/client.ts";
import { refusal, reply, success } from "../helpers/service/reply.ts";
import { type Step, scriptedService } from "../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

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
