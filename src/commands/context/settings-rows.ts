import type { ServiceSettings, TokenSource } from "../../config/settings.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { BlockLine } from "../../terminal/view.ts";
import { columnWidth, padded } from "../../terminal/width.ts";

/** Returns target and identity as rows for display. @param place the store of the token */
export function identityRows({ context, server, token }: ServiceSettings, place?: string): SourcedRow[] {
  return [
    { label: "context", text: context?.value ?? "none", from: context ? `from ${context.from}` : "" },
    { label: "server", text: server.value, from: `from ${server.from}` },
    {
      label: "token",
      text: place === undefined ? tokenText(token) : `in ${place}, not shown`,
      from: tokenOrigin(token, server.value),
    },
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

function tokenOrigin(token: TokenSource, server: string): string {
  if (token.kind === "none") return "";
  if (!("boundTo" in token)) return `from ${token.from}`;
  return `from ${token.from}, bound to ${token.boundTo === server ? "this server" : token.boundTo}`;
}

export function identityValue({ context, server, token }: ServiceSettings): JsonObject {
  return {
    context: context?.value ?? null,
    context_from: context?.from ?? null,
    server: server.value,
    server_from: server.from,
    token: token.kind,
    token_from: token.kind === "none" ? null : token.from,
    token_bound_to: "boundTo" in token ? token.boundTo : null,
  };
}

/** A setting for display. */
export interface SourcedRow {
  label: string;
  text: string;
  /** The source; empty if it is obvious. */
  from: string;
}

export function sourcedLines(rows: readonly SourcedRow[]): BlockLine[] {
  const width = columnWidth(rows.filter(({ from }) => from).map(({ text }) => text));
  return rows.map(({ label, text, from }) => ({
    label,
    value: { text: from ? `${padded(text, width)}   ${from}` : text },
  }));
}
