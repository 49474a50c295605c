import { describe, expect, test } from "vitest";
import type { App } from "../../../../src/app.ts";
import { cli } from "../../../helpers/cli.ts";
import { refusal } from "../../../helpers/service/reply.ts";
import { steppedClock } from "../../../helpers/stepped-clock.ts";
import { samplesIn } from "./exposition.ts";

type Ask = Parameters<App["listen"]>[0]["respond"];

/** Runs the listener, and returns what it responds to these requests, one after the other. */
async function responses(asked: readonly string[], world: Parameters<typeof cli>[1] = {}) {
  const got: Awaited<ReturnType<Ask>>[] = [];
  const listen: App["listen"] = async ({ port, respond, listening }) => {
    await listening(port);
    for (const request of asked) {
      const [method = "", target = ""] = request.split(" ");
      got.push(await respond({ method, target }));
    }
  };
  const line = "relayers status --listen 127.0.0.1:9464 --retries 0";
  return { got, ...(await cli(line, { ...world, listen, clock: steppedClock() })) };
}

describe("the listener for Prometheus", () => {
  test("reads the metrics on each scrape", async () => {
    const { got, requests, exitCode, stderr } = await responses(["GET /metrics", "GET /metrics"]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe("metrics on http://127.0.0.1:9464/metrics, on this machine only; press Ctrl-C to stop\n");
    expect(got.map(({ status, type }) => [status, type])).toEqual([
      [200, "text/plain; version=0.0.4; charset=utf-8"],
      [200, "text/plain; version=0.0.4; charset=utf-8"],
    ]);
    expect(samplesIn(got[0]?.text ?? "").length).toBeGreaterThan(20);
    expect(requests.filter(({ target }) => target.startsWith("/api/v1/relayers?"))).toHaveLength(2);
  });

  test("responds to nothing else", async () => {
    const { got, requests } = await responses(["GET /other", "POST /metrics", "GET /metricsx"]);
    expect(got.map(({ status }) => status)).toEqual([404, 405, 404]);
    expect(requests).toEqual([]);
  });

  test("shows that the service does not respond, and notes it once", async () => {
    const service = async () => refusal(500, "no");
    const { got, stderr } = await responses(["GET /metrics", "GET /metrics"], { service });
    expect(samplesIn(got[1]?.text ?? "")).toMatchObject([{ name: "relayctl_scrape_success", value: "0" }]);
    expect(stderr.match(/note: no/g)).toHaveLength(1);
  });

  test("reads once for scrapes at the same time", async () => {
    let responded: string[] = [];
    const listen: App["listen"] = async ({ respond }) => {
      const scrape = async () => (await respond({ method: "GET", target: "/metrics" })).text;
      responded = await Promise.all([scrape(), scrape(), scrape()]);
    };
    const { requests } = await cli("relayers status --listen 9464", { listen });
    expect(new Set(responded).size).toBe(1);
    expect(requests.filter(({ target }) => target.startsWith("/api/v1/relayers?"))).toHaveLength(1);
  });

  test.each([
    ["0.0.0.0:9464", "--listen 0.0.0.0:9464: needs an address of this machine"],
    ["127.0.0.1:70000", "--listen 127.0.0.1:70000: needs an address"],
    ["9464 --watch 5s", "--watch: cannot be combined with --listen"],
    ["9464 -o json", "--output: cannot be combined with --listen"],
    ["9464 --check", "--check: cannot be combined with --listen"],
  ])("is rejected before any request: --listen %s", async (flags, words) => {
    const ran = await cli(`relayers status --listen ${flags}`);
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr).toContain(words);
  });
});
