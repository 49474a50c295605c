import { apiRequest } from "../api-request.ts";
import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { readAny, readPublic } from "../read.ts";

/** What the service says of itself. The bodies are as received: texts and bare JSON, without an envelope. */
export interface ServerClient {
  /** The body is `OK`. Asked without the token where the service lets that pass. */
  health(): Promise<ApiResult>;
  /** `ready` in its data says whether it is: a 503 is an answer, too. */
  ready(): Promise<ApiResult>;
  /** The names of all metrics. */
  metrics(): Promise<ApiResult>;
  /** One metric as Prometheus text. */
  metric(name: string): Promise<ApiResult>;
  /** All metrics as Prometheus text. */
  scrape(): Promise<ApiResult>;
}

export function serverClient(clientContext: ClientContext): ServerClient {
  return {
    health: () => readPublic(apiRequest("server.health"), clientContext),
    ready: () => readPublic(apiRequest("server.ready"), clientContext),
    metrics: () => readAny(apiRequest("server.metrics"), clientContext),
    metric: (name) => readAny(apiRequest("server.metric", { metric: name }), clientContext),
    scrape: () => readAny(apiRequest("server.metrics-scrape"), clientContext),
  };
}
