import { headerVariable } from "../../config/token/header-words.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { Method } from "../../contract/wire.ts";
import { usageError } from "../../errors.ts";
import { type Shell, shellQuoted } from "../../shell/shell-words.ts";
import { type BodyPart, bodyParts, placeholderVariable, requireEnv, type VariableFor } from "./body-placeholders.ts";
import type { CurlFlags } from "./curl-way.ts";

export interface ShownRequest {
  method: Method;
  origin: string;
  target: string;
  body?: JsonValue | undefined;
  /** Set if it is sent without a token. */
  isPublic?: boolean;
  /** Names of additional headers. */
  headers?: readonly string[];
  variableFor?: VariableFor | undefined;
  /** The dotted paths of members of the body that are not shown. */
  hidden?: readonly string[] | undefined;
}

const TOKEN = "RELAYCTL_TOKEN";

/** Returns the request for `--dry-run`: every secret is a shell variable, never `***`. */
export function requestText(request: ShownRequest): string {
  const { method, target, body, isPublic, headers = [], variableFor, hidden } = request;
  const token = isPublic ? [] : [`authorization: Bearer ${placeholderVariable(TOKEN)}`];
  const others = headers.map((name) => `${name}: ${placeholderVariable(headerVariable(name))}`);
  const head = [`${method} ${target}`, ...token, ...others];
  if (body === undefined) return `${head.join("\n")}\n`;
  return `${[...head, "content-type: application/json"].join("\n")}\n\n${bodyText(body, variableFor, hidden)}\n`;
}

export function bodyText(body: JsonValue, variableFor?: VariableFor, hidden?: readonly string[]): string {
  return bodyParts(body, variableFor, hidden)
    .map((part) => ("text" in part ? part.text : placeholderVariable(part.variable)))
    .join("");
}

export function curlRequestText(request: ShownRequest, shell: Shell, way?: CurlFlags): string {
  const { method, origin, target, body, isPublic, headers = [], variableFor, hidden } = request;
  const parts = body === undefined ? [] : bodyParts(body, variableFor, hidden);
  const variables = [
    ...(isPublic ? [] : [TOKEN]),
    ...headers.map(headerVariable),
    ...(way?.variables ?? []),
    ...parts.flatMap((part) => ("variable" in part ? part.variable : [])),
  ];
  const guard = shell === "fish" ? requireEnv(variables) : shellGuards(parts);
  const lines = [`${guard}curl -X ${method} ${shellQuoted(origin + target)}`, ...(way?.flags ?? [])];
  if (!isPublic) lines.push(`-H "Authorization: Bearer ${placeholderVariable(TOKEN, shell)}"`);
  for (const name of headers) lines.push(`-H "${name}: ${placeholderVariable(headerVariable(name), shell)}"`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `--data-raw ${shellBody(parts, shell)}`);
  return `${lines.join(" \\\n  ")}\n`;
}

/** Returns checks for unset variables, which would end only the inner command of a substitution. */
function shellGuards(parts: readonly BodyPart[]): string {
  const escaped = parts.flatMap((part) => ("variable" in part && !isPlainInJson(part.secret) ? [part.variable] : []));
  return escaped.length === 0 ? "" : `: ${escaped.map((name) => `"${placeholderVariable(name)}"`).join(" ")} && `;
}

function shellBody(parts: readonly BodyPart[], shell: Shell): string {
  return parts.map((part) => ("text" in part ? shellQuoted(part.text) : jsonOfVariable(part, shell))).join("");
}

const ESCAPES: readonly { found: RegExp; command: string }[] = [
  { found: /["\\]/, command: String.raw`'s/["\\]/\\&/g'` },
  { found: /\t/, command: String.raw`"s/$(printf '\t')/\\\\t/g"` },
  { found: /\r/, command: String.raw`"s/$(printf '\r')/\\\\r/g"` },
  { found: /\n/, command: String.raw`'$!s/$/\\n/'` },
];

function isPlainInJson(secret: string): boolean {
  return !/["\\]|[\0-\x1f]/.test(secret);
}

/** @throws RelayctlError usage for a secret with a control character that is not a space or a line ending */
function jsonOfVariable({ variable: name, secret }: { variable: string; secret: string }, shell: Shell): string {
  const value = `"${placeholderVariable(name, shell)}"`;
  if (isPlainInJson(secret)) return value;
  if (/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(secret))
    throw usageError([{ where: "--curl", rule: `cannot show the secret ${name}, which contains a control character` }]);
  const commands = ESCAPES.filter(({ found }) => found.test(secret)).map(
    ({ command }) => `-e ${inShell(command, shell)}`,
  );
  return `"$(printf '%s\\n' ${value} | sed ${commands.join(" ")} | tr -d '\\n')"`;
}

/** fish reads `\\\\` in single quotes as one backslash. */
function inShell(command: string, shell: Shell): string {
  return shell === "fish" && command.startsWith("'") ? command.replaceAll("\\\\", "\\\\\\\\") : command;
}
