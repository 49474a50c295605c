import type { Call } from "../../command-support/call.ts";
import type { ConnectionFlags } from "../../config/connection/typed-connection.ts";
import type { HeaderSource, ServiceSettings, TokenSource } from "../../config/resolve-settings.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readSettings, settingsNotes } from "../../session/read-settings.ts";
import type { BlockLine } from "../../terminal/view.ts";
import { columnWidth, padToWidth } from "../../terminal/width.ts";

export function settingsRows({ context, server, token, headers }: ServiceSettings, place?: string): SourcedRow[] {
  return [
    { label: "context", text: context?.value ?? "none", from: context ? `from ${context.from}` : "" },
    { label: "server", text: server.value, from: `from ${server.from}` },
    {
      label: "token",
      text: place === undefined ? tokenText(token) : `in ${place}, not shown`,
      from: tokenOrigin(token, server.value),
    },
    ...headers.map((source) => ({
      label: "headers",
      text: headerText(source),
      from: tokenOrigin(source, server.value),
    })),
  ];
}

function tokenText(token: TokenSource): string {
  switch (token.kind) {
    case "none":
      return "none";
    case "file":
      return token.path === "-" ? "on stdin, not shown" : `in ${token.path}, not shown`;
    case "command":
      return `printed by ${token.argv[0]}, not shown`;
    default:
      return "set, not shown";
  }
}

function headerText(source: HeaderSource): string {
  const names = namesOf(source);
  if (names !== undefined) return `${names.join(", ")}, not shown`;
  if (source.kind === "command") return `printed by ${source.argv[0]}, not shown`;
  return "path" in source && source.path !== "-" ? `in ${source.path}, not shown` : "on stdin, not shown";
}

function namesOf(source: HeaderSource): readonly string[] | undefined {
  if ("headers" in source) return Object.keys(source.headers);
  return source.kind === "command" ? source.names : undefined;
}

function tokenOrigin(token: TokenSource | HeaderSource, server: string): string {
  if (token.kind === "none") return "";
  if (!("boundTo" in token)) return `from ${token.from}`;
  return `from ${token.from}, bound to ${token.boundTo === server ? "this server" : token.boundTo}`;
}

export function settingsObject({ context, server, token, headers }: ServiceSettings): JsonObject {
  return {
    context: context?.value ?? null,
    context_from: context?.from ?? null,
    server: server.value,
    server_from: server.from,
    token: token.kind,
    token_from: token.kind === "none" ? null : token.from,
    token_bound_to: "boundTo" in token ? token.boundTo : null,
    ...(headers.length > 0 && {
      headers: headers.map((source) => ({ names: [...(namesOf(source) ?? [])], kind: source.kind, from: source.from })),
    }),
  };
}

export interface SourcedRow {
  label: string;
  text: string;
  /** The source; empty if it is obvious. */
  from: string;
}

export function settingsLines(rows: readonly SourcedRow[]): BlockLine[] {
  const width = columnWidth(rows.filter(({ from }) => from).map(({ text }) => text));
  return rows.map(({ label, text, from }) => ({
    label,
    value: { text: from ? `${padToWidth(text, width)}   ${from}` : text },
  }));
}

export async function readContextSettings(call: Call, flags: ConnectionFlags = call.common): Promise<ServiceSettings> {
  const { app, say } = call;
  const settings = await readSettings(app, flags);
  if (settings.demo) throw new Error("the demo was refused before");
  for (const note of settingsNotes(settings)) await say(note);
  return settings;
}

export async function keptSettingsPlace(call: Pick<Call, "app">, { context, token }: ServiceSettings) {
  if (token.kind !== "command") return undefined;
  const { storedTokenPlace } = await import("../token-store/stored-token.ts");
  return await storedTokenPlace(call, context?.value, token.argv);
}
