import type { Transport } from "../client/transport/transport.ts";
import { parseJson } from "../contract/json.ts";
import { onlyReads } from "../contract/json-rpc/reading-methods.ts";
import type { WireRequest } from "../contract/wire.ts";
import { refuseShown } from "./refuse-shown.ts";

/** Returns a transport that refuses all but reads of the service or a node. */
export function readingOnly(transport: Transport): Transport {
  return (request, limits) => {
    const isRead = request.method === "GET" || onlyAsksNode(request);
    return (isRead ? transport : refuseShown)(request, limits);
  };
}

/** Returns whether a request only asks a relayer's node, which is a POST, too (facts 3.3). */
function onlyAsksNode({ method, target, body = "" }: WireRequest): boolean {
  return method === "POST" && target.endsWith("/rpc") && onlyReads(parseJson(body));
}
