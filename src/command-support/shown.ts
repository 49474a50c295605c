import type { App } from "../app.ts";
import { type ApiRequest, requestTarget } from "../client/request.ts";
import type { Message } from "../message.ts";
import type { SessionReach } from "../session/session.ts";
import { userShell } from "../shell/shell-words.ts";
import type { View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import type { VariableFor } from "./request-body/body-placeholders.ts";
import type { ShownRequest } from "./request-body/request-text.ts";
import { otherSpelling } from "./shown/other-spelling.ts";

/** `--diff`: reads first and shows the changes. In a dry run, only this flag allows reads. */
export interface DiffFlag {
  diff?: true;
}

export function isDryRun({ common }: Pick<Call, "common">): boolean {
  return common.dryRun === true || common.curl === true;
}

/** @param readsFirst whether the command needs a read to build its request */
export function dryRunReach(
  { app, common, flags }: Pick<Call<DiffFlag>, "common" | "flags"> & { app: Pick<App, "capture"> },
  readsFirst = false,
): SessionReach {
  if (!isDryRun({ common })) return app.capture ? "reads" : "all";
  return readsFirst || flags.diff || app.capture ? "reads" : "nothing";
}

export async function showIfDryRun(call: Call, request: ApiRequest): Promise<View | undefined> {
  return isDryRun(call) ? await showRequest(call, request) : undefined;
}

export async function showRequest(call: Call, request: ApiRequest, wasRead = false): Promise<View> {
  return await showRequests(call, [request], wasRead);
}

interface RequestsShown {
  /** What the requests do together. */
  summary?: readonly Message[];
  /** Returns a request's variables, if several have secrets. */
  variablesOf?: (request: ApiRequest) => VariableFor;
}

/** Returns the view of several requests. On a terminal, their summary is last, where it stays on the screen. */
export async function showRequests(
  call: Call,
  apiRequests: readonly ApiRequest[],
  wasRead = false,
  { summary = [], variablesOf }: RequestsShown = {},
): Promise<View> {
  if (call.app.capture) {
    await call.app.capture(apiRequests, await call.session());
    return { kind: "nothing" };
  }
  const { curlRequestText, requestText } = await import("./request-body/request-text.ts");
  const { curlWayFlags } = await import("./request-body/curl-way.ts");
  const { origin, name, headerNames, way } = await call.session();
  const headers = await headerNames();
  const requests = apiRequests.map((request): ShownRequest => {
    const { method, isPublic = false } = request.operation;
    const target = requestTarget(request);
    const { body, hidden } = request;
    return { method, origin, target, body, hidden, isPublic, headers, variableFor: variablesOf?.(request) };
  });
  const fact = wasRead ? "the current state was read, nothing was changed at" : "nothing was sent to";
  const shell = userShell(call.app.env);
  const flags = call.common.curl && way ? await curlWayFlags(way, call, shell) : undefined;
  const shownText = (each: ShownRequest) =>
    call.common.curl ? curlRequestText(each, shell, flags) : requestText(each);
  const said = [
    ...summary,
    ...(call.common.curl ? [] : [`dry run: ${fact} ${origin}${name === origin ? "" : ` (${name})`}`]),
    ...[...new Set(apiRequests.flatMap(otherSpelling))].map((note) => ({ note })),
  ];
  const text = requests.map(shownText).join("\n");
  if (call.app.stdout.isTerminal && requests.length > 1) return { kind: "text", text: `${text}\n`, notes: said };
  for (const line of said) await call.say(line);
  return { kind: "text", text };
}
