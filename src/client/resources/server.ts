import type { Answer } from "../answer.ts";
import { ask } from "../ask.ts";
import type { Link } from "../link.ts";
import { readAny } from "../read.ts";

/** What the service says of itself. The bodies are as received: texts and bare JSON, without an envelope. */
export interface ServerClient {
  health(): Promise<Answer>;
  ready(): Promise<Answer>;
  /** The names of all metrics. */
  metrics(): Promise<Answer>;
  /** One metric as Prometheus text. */
  metric(name: string): Promise<Answer>;
  /** All metrics as Prometheus text. */
  scrape(): Promise<Answer>;
}

export function serverClient(link: Link): ServerClient {
  return {
    health: () => readAny(ask("server.health"), link),
    ready: () => readAny(ask("server.ready"), link),
    metrics: () => readAny(ask("server.metrics"), link),
    metric: (name) => readAny(ask("server.metric", { metric: name }), link),
    scrape: () => readAny(ask("server.metrics-scrape"), link),
  };
}
