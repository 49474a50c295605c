import { type ApiRequest, targetOf } from "../client/request.ts";
import type { View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import type { ShownRequest } from "./request-body/request-text.ts";
import type { Reach } from "./session/session.ts";

/** `--diff`: read first and tell what changes. For a request that is only shown it is the one leave to read. */
export interface DiffFlag {
  diff?: true;
}

/** Whether requests are shown instead of sent: with `--dry-run` and `--curl`. */
export function isShown({ common }: Pick<Call, "common">): boolean {
  return common.dryRun === true || common.curl === true;
}

/** @param readsFirst whether the command cannot know without a read what it would send */
export function reachOf({ common, flags }: Pick<Call<DiffFlag>, "common" | "flags">, readsFirst = false): Reach {
  if (!isShown({ common })) return "all";
  return readsFirst || flags.diff ? "reads" : "nothing";
}

/** The view of a request that is to be shown instead of sent; nothing when it is to be sent. */
export async function shownInstead(call: Call, request: ApiRequest): Promise<View | undefined> {
  return isShown(call) ? await showRequest(call, request) : undefined;
}

/**
 * The view of a request instead of its reply.
 * @param wasRead whether the service was asked what is there, so that not nothing at all was sent
 */
export async function showRequest(call: Call, request: ApiRequest, wasRead = false): Promise<View> {
  return await showRequests(call, [request], wasRead);
}

/** The same of several requests, one after the other. */
export async function showRequests(call: Call, asks: readonly ApiRequest[], wasRead = false): Promise<View> {
  const { curlText, requestText } = await import("./request-body/request-text.ts");
  const { origin, name } = await call.session();
  const requests = asks.map((request): ShownRequest => {
    const { method, isPublic = false } = request.operation;
    return { method, origin, target: targetOf(request), body: request.body, isPublic };
  });
  const fact = wasRead ? "it was read, nothing was changed at" : "nothing was sent to";
  if (!call.common.curl) await call.say(`dry run: ${fact} ${origin}${name === origin ? "" : ` (${name})`}`);
  const { otherSpelling } = await import("./shown/other-spelling.ts");
  for (const note of new Set(asks.flatMap(otherSpelling))) await call.say(note);
  return { kind: "text", text: requests.map(call.common.curl ? curlText : requestText).join("\n") };
}
