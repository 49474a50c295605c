import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { readAny, readPublic } from "../read.ts";
import { apiRequest } from "../request.ts";

/** What the service reports about itself. The bodies are as received: texts and bare JSON, without an envelope. */
export interface ServerClient {
  /** Returns the body `OK`. Sent without the token if the service allows that. */
  health(): Promise<ApiResult>;
  /** Returns data whose `ready` says whether the service is ready: a 503 is a response too. */
  ready(): Promise<ApiResult>;
  /** Lists the names of all metrics. */
  metrics(): Promise<ApiResult>;
  /** Returns one metric as Prometheus text. */
  metric(name: string): Promise<ApiResult>;
  /** Returns all metrics as Prometheus text. */
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
