import { writeJson } from "../../contract/json.ts";
import type { Handler } from "../handler.ts";
import { momentText } from "../moment.ts";
import { Refusal } from "../refusal.ts";

/** service-facts 3.6: a text without a type. */
export const health: Handler = async () => ({ text: "OK" });

/** service-facts 3.6: bare JSON. Nothing here can be unhealthy. */
export const ready: Handler = async ({ now }) => {
  const pool = { connected: true, available: 0, max_size: 0 };
  const system = { status: "healthy", fd_count: 32, fd_limit: 1024, fd_usage_percent: 3, close_wait_count: 0 };
  const redis = { status: "healthy", primary_pool: pool, reader_pool: pool };
  const components = { system, redis, queue: { status: "healthy" } };
  return json(writeJson({ ready: true, status: "healthy", components, timestamp: momentText(now) }));
};

/** What can be counted without counting: the relayers and the transactions that there are. */
const METRICS = ["relayers", "transactions"] as const;

export const listMetrics: Handler = async () => json(writeJson([...METRICS]));

export const getMetric: Handler = async ({ ids: [name = ""], store }) => {
  const metric = METRICS.find((known) => known === name);
  if (!metric) throw new Refusal(404, "Metric not found", { service: { plain: true } });
  return store.read((state) => ({ text: gauge(metric, state[metric].size()), type: PROMETHEUS }));
};

export const scrapeMetrics: Handler = async ({ store }) =>
  store.read((state) => ({
    text: METRICS.map((metric) => gauge(metric, state[metric].size())).join(""),
    type: PROMETHEUS,
  }));

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

function gauge(name: string, value: number): string {
  return `# HELP ${name} How many ${name} there are\n# TYPE ${name} gauge\n${name} ${value}\n`;
}

function json(text: string) {
  return { text, type: "application/json" };
}
