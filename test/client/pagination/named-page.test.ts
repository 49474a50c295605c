import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, printedError } from "../../helpers/cli.ts";
import { refusal, success } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";

/** A service on Redis with this many relayers: it closes the connection past the end, and fails at 0 (facts 13.9). */
function redis(total: number): Transport {
  return async ({ target }) => {
    const query = new URL(target, "http://h").searchParams;
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
    if (page === 0 || size === 0) return refusal(500, "An unknown error occurred");
    const from = (page - 1) * size;
    if (total > 0 && from >= total) throw lost("reset");
    const count = Math.min(size, total - from);
    const items = Array.from({ length: count }, (_, index) => ({ id: `r${from + index}` }));
    return success(items, { current_page: page, per_page: size, total_items: total });
  };
}

async function refused(line: string, service: Transport) {
  const ran = await cli(`${line} -o json`, { service });
  const error = printedError(ran.stderr);
  return { error, requests: ran.requests.length };
}

describe("the error for a page that does not exist specifies the page and is not retryable", () => {
  test.each([
    ["relayers list --page 99", 5, 10, "page 99 is past the end (5 relayers, 1 page)", "relayctl relayers list"],
    ["relayers list --page 2", 1, 10, "page 2 is past the end (1 relayer, 1 page)", "relayctl relayers list"],
    [
      "plugins list --page 4 --per-page 2",
      5,
      10,
      "page 4 is past the end (5 plugins, 3 pages)",
      "relayctl plugins list",
    ],
    [
      "tx list eth-main-1 --page 3",
      11,
      10,
      "page 3 is past the end (11 transactions, 2 pages)",
      "relayctl tx list eth-main-1",
    ],
    ["relayers list --page 0", 5, 9, "page 0 does not exist: pages start at 1", "relayctl relayers list"],
    ["relayers list --per-page 0", 5, 9, "a page of 0 items does not exist on this service", "relayctl relayers list"],
  ])("%s of %i", async (line, total, exit_code, message, hint) => {
    const { error } = await refused(line, redis(total));
    expect(error).toMatchObject({ exit_code, retryable: false, hint, applied: "no" });
    expect(error.message).toContain(message);
  });

  test("a page that exists keeps its own error", async () => {
    const { error } = await refused("relayers list --page 2 --retries 0", async ({ target }) => {
      if (target.includes("page=2")) throw lost("reset");
      return success([{ id: "r1" }], { current_page: 1, per_page: 10, total_items: 20 });
    });
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(error.message).not.toContain("past the end");
  });

  test("the first error is kept if the service does not respond to the check", async () => {
    const { error, requests } = await refused("relayers list --page 2 --retries 0", async () => {
      throw lost("reset");
    });
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(requests).toBe(2);
  });
});
