import { writeJson } from "../../contract/json.ts";
import type { Handler } from "../handler.ts";
import { Refusal } from "../refusal.ts";
import { timestampText } from "../world.ts";

/** Returns a text without a content type (facts 3.6). */
export const health: Handler = async () => ({ text: "OK" });

/** Returns bare JSON (facts 3.6). The embedded server is always healthy. */
export const ready: Handler = async ({ now }) => {
  const pool = { connected: true, available: 0, max_size: 0 };
  const system = { status: "healthy", fd_count: 32, fd_limit: 1024, fd_usage_percent: 3, close_wait_count: 0 };
  const redis = { status: "healthy", primary_pool: pool, reader_pool: pool };
  const components = { system, redis, queue: { status: "healthy" } };
  return json(writeJson({ ready: true, status: "healthy", components, timestamp: timestampText(now) }));
};

/** The service's metrics by name (recorded at v1.8). Nothing is counted here: the values are those of a new service. */
const METRICS: Record<string, string> = {
  in_flight_requests: metric("in_flight_requests", "gauge", "1"),
  raw_requests_total: metric("raw_requests_total", "counter", "1"),
  request_latency_seconds: metric("request_latency_seconds", "gauge", "0.001"),
  requests_total: metric("requests_total", "counter", "1"),
  worker_threads: metric("worker_threads", "gauge", "1"),
};

export const listMetrics: Handler = async () => json(writeJson(Object.keys(METRICS)));

export const getMetric: Handler = async ({ ids: [name = ""] }) => {
  const text = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
  if (text === undefined) throw new Refusal(404, "Metric not found", { service: { plain: true } });
  return { text, type: PROMETHEUS };
};

export const scrapeMetrics: Handler = async () => ({ text: Object.values(METRICS).join(""), type: PROMETHEUS });

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

function metric(name: string, type: "counter" | "gauge", value: string): string {
  return `# HELP ${name} Not counted by the embedded server\n# TYPE ${name} ${type}\n${name} ${value}\n`;
}

function json(text: string) {
  return { text, type: "application/json" };
}
