import type { Dialect } from "../dialect.ts";
import type { ServerRandom } from "../world.ts";
import { serviceHandlers } from "./handlers.ts";
import { busyReply, limitedReply, serviceRefusal, serviceReply, timedOutReply, unauthorizedReply } from "./replies.ts";
import { serviceTransaction } from "./shown.ts";
import { serviceRelayer } from "./shown-relayer.ts";

/** Paths that never require a token (facts 1.2). */
const PUBLIC = ["/swagger-ui", "/api-docs", "/api/v1/health", "/api/v1/ready"];

/** Responds like OpenZeppelin Relayer v1.8. */
export function openzeppelinDialect(random: Pick<ServerRandom, "uuid">): Dialect {
  const requestId = (headers: Readonly<Record<string, string>>) => headers["x-request-id"] ?? random.uuid();
  return {
    handlers: serviceHandlers,
    // Repeated slashes count as one, and a trailing slash is ignored (facts 1.6).
    pathOf: (path) => `/${path.split("/").filter(Boolean).join("/")}`,
    isPublic: (path) => PUBLIC.some((start) => path.startsWith(start)),
    shown: { transaction: serviceTransaction, relayer: serviceRelayer },
    reply: (success, headers, memo) => serviceReply(success, requestId(headers), memo),
    refuse(refusal, headers) {
      if (refusal.status === 401) return unauthorizedReply(headers.authorization, requestId(headers));
      if (refusal.status === 429) return refusal.service.plain ? busyReply(refusal) : limitedReply();
      if (refusal.status === 504) return timedOutReply();
      return serviceRefusal(refusal, requestId(headers));
    },
  };
}
