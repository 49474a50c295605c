import { isJsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import type { Method } from "../contract/wire.ts";
import { shellVariable, withStandIns } from "./stand-ins.ts";

/** A request that is shown instead of sent. */
export interface ShownRequest {
  method: Method;
  origin: string;
  /** Path and query. */
  target: string;
  body?: JsonValue | undefined;
}

const TOKEN = shellVariable("RELAYCTL_TOKEN");

/** The request as `--dry-run` prints it: every secret is a shell variable, never `***`. */
export function requestText({ method, target, body }: ShownRequest): string {
  const head = [`${method} ${target}`, `authorization: Bearer ${TOKEN}`];
  if (body === undefined) return `${head.join("\n")}\n`;
  return `${[...head, "content-type: application/json"].join("\n")}\n\n${writeJson(shownBody(body).body)}\n`;
}

/** The curl command that is equal to the request; with the variables set it does what the command would have done. */
export function curlText({ method, origin, target, body }: ShownRequest): string {
  const lines = [`curl -X ${method} ${singleQuoted(origin + target)}`, `-H "Authorization: Bearer ${TOKEN}"`];
  if (body !== undefined) {
    const shown = shownBody(body);
    lines.push("-H 'Content-Type: application/json'", `--data-raw ${expanding(writeJson(shown.body), shown.variables)}`);
  }
  return `${lines.join(" \\\n  ")}\n`;
}

function shownBody(body: JsonValue): { body: JsonValue; variables: readonly string[] } {
  return isJsonObject(body) ? withStandIns(body) : { body, variables: [] };
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A single-quoted text in which the named variables are expanded by the shell. */
function expanding(text: string, variables: readonly string[]): string {
  return variables.reduce((quoted, name) => quoted.replace(shellVariable(name), `'"${shellVariable(name)}"'`), singleQuoted(text));
}
