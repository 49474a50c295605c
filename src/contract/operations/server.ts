import type { Operation } from "../operation.ts";
import { anything, flag, listOf, object, text } from "../reply/shape.ts";

/** facts 3.6: the text `OK`. */
export const serverHealth = {
  id: "server.health",
  kind: "read",
  method: "GET",
  path: "/health",
  data: anything,
  bare: true,
  isPublic: true,
} as const satisfies Operation;

/** facts 3.6: bare JSON, with 503 if it is not ready. */
export const serverReady = {
  id: "server.ready",
  kind: "read",
  method: "GET",
  path: "/ready",
  data: object({ ready: flag }),
  bare: true,
  alsoSucceeds: 503,
  isPublic: true,
  since: "1.4",
} as const satisfies Operation;

/** facts 3.6: the names of the metrics, a bare array. */
export const serverMetrics = {
  id: "server.metrics",
  kind: "read",
  method: "GET",
  path: "/metrics",
  data: listOf(text),
  bare: true,
} as const satisfies Operation;

/** facts 3.6: one metric, as Prometheus text. */
export const serverMetric = {
  id: "server.metric",
  kind: "read",
  method: "GET",
  path: "/metrics/{metric}",
  data: anything,
  bare: true,
  metrics: true,
} as const satisfies Operation;

/** facts 3.6: all metrics, as Prometheus text. */
export const serverMetricsScrape = {
  id: "server.metrics-scrape",
  kind: "read",
  method: "GET",
  path: "/debug/metrics/scrape",
  data: anything,
  bare: true,
  metrics: true,
} as const satisfies Operation;
