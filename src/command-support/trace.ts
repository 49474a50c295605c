import type { HiddenMembers, Trace } from "../client/client-context.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keysOf,
  prettyJson,
  tryParseJson,
  withJsonLeaves,
} from "../contract/json.ts";
import { MASK } from "../contract/rpc-url.ts";
import { withSecretFields } from "../contract/secret-fields.ts";
import { shownHeaderLines, shownWithoutUrlPaths } from "./shown-headers.ts";

/** The largest shown body, in bytes: secrets are only found by parsing. */
const LARGEST_BODY = 2 ** 20;
const MOST_LINES = 100;
const MOST_CHARACTERS = 2_000;

/** Returns the trace of `-v`: headers, and bodies with `-vv`, without secrets. Long bodies are cut, once masked. */
export function createTrace(
  say: (lines: readonly { trace: string }[]) => Promise<void>,
  { withBodies, hide }: { withBodies: boolean; hide(text: string): string },
): Trace {
  const hidden = new Map<string, readonly string[]>();
  const print = (sign: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array = "") => {
    const lines = [
      ...shownHeaderLines(headers),
      ...(withBodies ? bodyLines(body, (text) => hide(shownText(text, hidden))) : []),
    ];
    // Lines that cannot be written must not affect a request.
    say(lines.map((line) => ({ trace: `${sign}   ${line}` }))).catch(() => {});
  };
  return {
    sent: ({ headers, body }) => print(">", headers, body),
    received: ({ headers, body }) => print("<", headers, body),
    hide(resources: Iterable<HiddenMembers>) {
      for (const { id, hidden: paths } of resources)
        hidden.set(id, [...(hidden.get(id) ?? []), ...[...paths].map(withoutIndex)]);
    },
  };
}

type HiddenPaths = ReadonlyMap<string, readonly string[]>;

/** Returns the list's path in place of an item's, since a service may have the items in another order. */
function withoutIndex(path: string): string {
  return path.replace(/\.\d+(?:\..*)?$/, "");
}

function bodyLines(body: string | Uint8Array, shown: (text: string) => string): string[] {
  if (body.length === 0) return [];
  if (body.length > LARGEST_BODY) return [`(a body of ${body.length} bytes, not shown)`];
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const lines = shown(text).split("\n");
  const first = lines.slice(0, MOST_LINES).map(cutLine);
  return lines.length > MOST_LINES ? [...first, `… ${lines.length - MOST_LINES} more lines`] : first;
}

function cutLine(line: string): string {
  const more = line.length - MOST_CHARACTERS;
  return more > 0 ? `${line.slice(0, MOST_CHARACTERS)}… ${more} more characters` : line;
}

function shownText(text: string, hidden: HiddenPaths): string {
  const json = tryParseJson(text);
  return json === undefined ? shownWithoutUrlPaths(text.trimEnd()) : prettyJson(withoutSecrets(json, hidden));
}

/** Matches names of fields with a secret, including unknown ones. */
const SECRET_NAME =
  /(?:^|_)(?:signing_key|private_key|api_key|secret|password|passphrase|mnemonic|authorization|(?:access|auth|bearer|refresh)_token)$/;

/** Masks secrets and URLs at any depth, since a body of an unknown operation can contain them anywhere. */
function withoutSecrets(value: JsonValue, hidden: HiddenPaths): JsonValue {
  if (typeof value === "string") return shownWithoutUrlPaths(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, hidden));
  if (!isJsonObject(value)) return value;
  const masked = withSecretFields(withoutMembers(value, hidden), () => MASK);
  const entries = keysOf(masked).map((key) => {
    const member = masked[key] ?? null;
    const isSecret = typeof member === "string" && member !== "" && SECRET_NAME.test(key);
    return [key, isSecret ? MASK : withoutSecrets(member, hidden)];
  });
  return Object.fromEntries(entries);
}

function withoutMembers(object: JsonObject, hidden: HiddenPaths): JsonObject {
  const paths = typeof object.id === "string" ? hidden.get(object.id) : undefined;
  if (!paths) return object;
  const isHidden = (path: string) => paths.some((each) => `${path}.`.startsWith(`${each}.`));
  return withJsonLeaves(object, (leaf, path) => (isHidden(path) ? MASK : leaf)) as JsonObject;
}
