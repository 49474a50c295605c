import { recordedAs } from "../../helpers/service/recorded.ts";
import { askDemo } from "../ask.ts";

test("reports health in one word, without an envelope", async () => {
  const { status, text, headers } = await askDemo()("GET", "/health");
  expect([status, text, headers["content-type"]]).toEqual([200, "OK", undefined]);
});

test("reports readiness with its components", async () => {
  const { status, text, headers } = await askDemo()("GET", "/ready");
  expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
  expect(JSON.parse(text)).toMatchObject({
    ready: true,
    status: "healthy",
    components: { system: { status: "healthy" }, redis: { primary_pool: { connected: true } }, queue: {} },
    timestamp: "2026-11-21T03:12:07.000000000+00:00",
  });
});

test("lists its metrics, and returns one or all of them", async () => {
  const ask = askDemo();
  const names: string[] = JSON.parse((await ask("GET", "/metrics")).text);
  expect(names).toEqual(JSON.parse(String(recordedAs("metrics").response.body)));
  const one = await ask("GET", "/metrics/requests_total");
  expect(one.headers["content-type"]).toMatch(/^text\/plain/);
  expect(one.text).toMatch(/^# HELP requests_total .+\n# TYPE requests_total counter\nrequests_total 1\n$/);
  expect((await ask("GET", "/debug/metrics/scrape")).text).toContain(`${one.text}# HELP worker_threads`);
  for (const name of names) expect((await ask("GET", `/metrics/${name}`)).status).toBe(200);
  expect((await ask("GET", "/metrics/nope")).json?.message).toBe("Metric not found");
});
