import { writeJson } from "../../contract/json.ts";
import type { Dialect } from "../dialect.ts";
import type { Refusal } from "../refusal.ts";
import {
  type BareReply,
  DEMO,
  JSON_TYPE,
  type Memo,
  replyDataText,
  replyPaginationText,
  type SuccessReply,
  type TextReply,
} from "../reply.ts";
import type { ServerRandom } from "../world.ts";
import { serviceHandlers } from "./handlers.ts";
import { shownRelayer, shownTransaction } from "./shown.ts";

const TEXT_TYPE = { "content-type": "text/plain; charset=utf-8" };

type Headers = Readonly<Record<string, string>>;

/** Returns a success response: the fields in order, and `error` null (facts 1.7). */
function serviceReply(success: SuccessReply | BareReply, requestId: string, memo: Memo): TextReply {
  const { status = 200 } = success;
  if ("text" in success)
    return reply(status, success.text, { ...contentType(success.type), "x-request-id": requestId });
  const fields = `"success":true,"data":${replyDataText(success.data, memo)},"error":null${replyPaginationText(success.pagination)}`;
  return reply(status, `{${fields}}`, { ...JSON_TYPE, "x-request-id": requestId });
}

/** Returns a failure response, with the service's message, if any, as text where it sends text (facts 1.7). */
function serviceRefusal(refusal: Refusal, requestId: string): TextReply {
  const { status, message, plain }: { status: number; message: string; plain?: true } = {
    status: refusal.status,
    message: refusal.message,
    ...refusal.service,
  };
  const headers = { ...refusal.headers, "x-request-id": requestId };
  if (message === "") return reply(status, "", headers);
  if (plain) return reply(status, message, { ...TEXT_TYPE, ...headers });
  return reply(status, writeJson({ success: false, data: null, error: message }), { ...JSON_TYPE, ...headers });
}

/** Returns the response to an unauthorized request: the rate limit's without a header, otherwise JSON (facts 1.2). */
function unauthorizedReply(authorization: string | undefined, requestId: string): TextReply {
  if (authorization === undefined) {
    return reply(401, '{"success": false, "code": 401, "error": "Unauthorized", "message": "Unauthorized"}', JSON_TYPE);
  }
  const body = '{"success":false,"code":401,"error":"Unauthorized","message":"Unauthorized"}';
  return reply(401, body, { "x-request-id": requestId });
}

/** Returns the response of the rate limit, with its odd spaces (facts 1.3). */
function limitedReply(): TextReply {
  const body =
    '{ "success": false, "code":429, "error": "TooManyRequests", "message": "Too Many Requests", "after": 0}';
  return reply(429, body, { ...JSON_TYPE, "retry-after": "0", "x-ratelimit-after": "0" });
}

function reply(status: number, text: string, headers: Headers): TextReply {
  return { status, headers: { ...headers, ...DEMO }, text };
}

function contentType(given: string | undefined): Headers {
  return given === undefined ? {} : { "content-type": given };
}

/** Paths that never require a token (facts 1.2). */
const PUBLIC = ["/swagger-ui", "/api-docs", "/api/v1/health", "/api/v1/ready"];

export function openzeppelinDialect(random: Pick<ServerRandom, "uuid">): Dialect {
  const requestId = (headers: Readonly<Record<string, string>>) => headers["x-request-id"] ?? random.uuid();
  return {
    handlers: serviceHandlers,
    // Repeated slashes count as one, and a trailing slash is ignored (facts 1.6).
    pathOf: (path) => `/${path.split("/").filter(Boolean).join("/")}`,
    isPublic: (path) => PUBLIC.some((start) => path.startsWith(start)),
    shown: { transaction: shownTransaction, relayer: shownRelayer },
    reply: (success, headers, memo) => serviceReply(success, requestId(headers), memo),
    refuse(refusal, headers) {
      if (refusal.status === 401) return unauthorizedReply(headers.authorization, requestId(headers));
      const { message = "", plain } = refusal.service;
      // Too many concurrent requests are refused before they have an ID (facts 1.4).
      if (refusal.status === 429) return plain ? reply(429, message, TEXT_TYPE) : limitedReply();
      if (refusal.status === 504) return reply(504, "Request handler timeout", TEXT_TYPE);
      return serviceRefusal(refusal, requestId(headers));
    },
  };
}
