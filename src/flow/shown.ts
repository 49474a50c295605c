import { type Ask, targetOf } from "../client/request.ts";
import type { View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { curlText, requestText, type ShownRequest } from "./request-text.ts";

/**
 * The view of a request that is to be shown instead of sent, with `--dry-run` or `--curl`; nothing without them. Nothing
 * is sent to find it out.
 */
export async function shownInstead(call: Call, ask: Ask): Promise<View | undefined> {
  if (!call.common.dryRun && !call.common.curl) return undefined;
  const { origin, name } = await call.session();
  const request: ShownRequest = { method: ask.operation.method, origin, target: targetOf(ask), body: ask.body };
  if (call.common.curl) return { kind: "text", text: curlText(request) };
  await call.say(`dry run: nothing was sent to ${origin}${name === origin ? "" : ` (${name})`}`);
  return { kind: "text", text: requestText(request) };
}
