import { isJsonObject, type JsonObject, type JsonValue, withJsonLeaves, writeJson } from "../../contract/json.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { withSecretFields } from "../../contract/secret-fields.ts";
import type { Shell } from "../../shell/shell-words.ts";
import { escapeJson } from "../../terminal/escape.ts";

export type BodyPart = { text: string } | { variable: string; secret: string };

/** Returns `${SIGNING_KEY:?}`, so that a shell sends no partial request; fish begins with `requiring` instead. */
export function placeholderVariable(name: string, shell?: Shell): string {
  return shell === "fish" ? `$${name}` : `\${${name}:?}`;
}

/** Returns the beginning of a command in fish that stops it if a variable is unset. */
export function requireEnv(variables: readonly string[]): string {
  return variables.map((name) => `test -n "$${name}" && `).join("");
}

/** Returns the name of a secret's variable: capitals, digits, underscores. @param usual by its place */
export type VariableFor = (usual: string, secret: string) => string;

/** Surrounds the name of a secret in the JSON text: a control character that no flag or file should contain. */
const MARK = "\u0001";
const MARK_OF_NUMBER = "\u0002";
const MARKED = /(?:"\\u0002|\\u0001)([A-Z0-9_]+)(?:\\u0002"|\\u0001)/;

/**
 * Returns the JSON of a body in parts: its secrets, a URL with user info, and every RPC URL with more than a host are
 * variables, since a provider's key is in the path, query, or user info (promises 6). An empty signing key removes the
 * key and is not a secret. Characters that could control a terminal or hide use JSON's escapes.
 * @param variableFor returns other names of the variables
 * @param hidden the dotted paths of other members that are variables
 */
export function bodyParts(
  body: JsonValue,
  variableFor: VariableFor = (name) => name,
  hidden: readonly string[] = [],
): BodyPart[] {
  const secrets = new Map<string, string>();
  const mark: Mark = (usual, secret, sign = MARK) => {
    const name = variableFor(usual, secret);
    secrets.set(name, secret);
    return sign + name + sign;
  };
  const shown = isJsonObject(body) ? withMarks(body, mark) : body;
  const json = escapeJson(writeJson(hidden.length === 0 ? shown : withoutHidden(shown, hidden, mark)));
  return json
    .split(MARKED)
    .map((piece, index) => (index % 2 === 0 ? { text: piece } : { variable: piece, secret: secrets.get(piece) ?? "" }));
}

type Mark = (name: string, secret: string, sign?: string) => string;

function withoutHidden(body: JsonValue, hidden: readonly string[], mark: Mark): JsonValue {
  return withJsonLeaves(body, (leaf, path) => {
    const isText = typeof leaf === "string";
    if (!hidden.includes(path) || leaf === null || (isText && leaf.startsWith(MARK))) return leaf;
    return mark(variableName(path), String(leaf), isText ? MARK : MARK_OF_NUMBER);
  });
}

const USER_INFO = /:\/\/[^/?#\s]*@/;

function withMarks(body: JsonObject, mark: Mark): JsonObject {
  const marked: JsonObject = { ...withSecretFields(body, (secret, path) => mark(variableName(path), secret)) };
  if (typeof body.url === "string" && USER_INFO.test(body.url)) marked.url = mark("URL", body.url);
  for (const field of RPC_URL_FIELDS) {
    const urls = body[field];
    if (Array.isArray(urls))
      marked[field] = urls.map((entry, index) => withoutUrl(entry, `RPC_URL_${index + 1}`, mark));
  }
  return marked;
}

/** Returns `SIGNING_KEY`, `CONFIG_SECRET_ID` */
function variableName(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "_").toUpperCase();
}

function withoutUrl(entry: JsonValue, name: string, mark: Mark): JsonValue {
  if (typeof entry === "string") return maskRpcUrl(entry) === entry ? entry : mark(name, entry);
  if (!isJsonObject(entry) || typeof entry.url !== "string" || maskRpcUrl(entry.url) === entry.url) return entry;
  return { ...entry, url: mark(name, entry.url) };
}
