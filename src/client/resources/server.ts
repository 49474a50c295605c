import type { Answer } from "../answer.ts";
import { ask } from "../ask.ts";
import type { Link } from "../link.ts";
import { readAny, readPublic } from "../read.ts";

/** What the service says of itself. The bodies are as received: texts and bare JSON, without an envelope. */
export interface ServerClient {
  /** The body is `OK`. Asked without the token where the service lets that pass. */
  health(): Promise<Answer>;
  /** `ready` in its data says whether it is: a 503 is an answer, too. */
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
    health: () => readPublic(ask("server.health"), link),
    ready: () => readPublic(ask("server.ready"), link),
    metrics: () => readAny(ask("server.metrics"), link),
    metric: (name) => readAny(ask("server.metric", { metric: name }), link),
    scrape: () => readAny(ask("server.metrics-scrape"), link),
  };
}
