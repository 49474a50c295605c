import type { App } from "../../app.ts";
import { copyObject, isJsonObject, type JsonObject, type JsonValue, keysOf, parseJson } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { isSecretPath } from "../../contract/secret-fields.ts";
import { readSecret, readText } from "../../session/input-file.ts";

/** The flags that set fields of a request, with the rules of `gh api`. */
export interface FieldFlags {
  field?: string[];
  rawField?: string[];
}

export interface Field {
  flag: "--field" | "--raw-field";
  /** As typed: `policies[min_balance]`. */
  name: string;
  /** `["policies", "min_balance"]`; an empty key adds an item to a list. */
  path: readonly string[];
  value: JsonValue;
  text: string;
}

/** Matches `name=value`, `a[b][]=value`, and `a[]`, which is an empty list. */
const FIELD = /^([^[\]=]+)((?:\[[^[\]=]*\])*)(?:=(.*)|(?<=\[\]))$/s;
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** Reads the typed fields, the raw ones first. One that is invalid becomes a problem. */
export async function readFields(
  app: App,
  { field = [], rawField = [] }: FieldFlags,
  problems: Problems,
): Promise<Field[]> {
  const fields: Field[] = [];
  for (const [flag, typed] of [
    ...rawField.map((typed) => ["--raw-field", typed] as const),
    ...field.map((typed) => ["--field", typed] as const),
  ]) {
    const [, root = "", keys = "", text] = FIELD.exec(typed) ?? [];
    const path = [root, ...[...keys.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key)];
    if (root === "") problems.add(flag, "write it as name=value, a[b]=value, or a[]=value", withoutValue(typed));
    else if (text === undefined) fields.push({ flag, name: root + keys, path: path.slice(0, -1), value: [], text: "" });
    else {
      const value = await problems.gather(() => fieldValue(app, { flag, path, text }, problems));
      const shown = typeof value === "string" ? value : text;
      if (value !== undefined) fields.push({ flag, name: root + keys, path, value, text: shown });
    }
  }
  return fields;
}

/** Returns a typed field up to its value, which may be a secret. */
function withoutValue(typed: string): string {
  return typed.includes("=") ? `${typed.slice(0, typed.indexOf("="))}=…` : typed;
}

async function fieldValue(
  app: App,
  { flag, path, text }: Pick<Field, "flag" | "path" | "text">,
  problems: Problems,
): Promise<JsonValue> {
  const isSecret = isSecretPath(path.join("."));
  const file = flag === "--field" && text.startsWith("@") ? text.slice(1) : undefined;
  if (file !== undefined) return await (isSecret ? readSecret(app, file, flag) : readText(app, file));
  if (isSecret && text !== "null" && text !== "") {
    app.secrets.add(text);
    const name = path.join(".");
    problems.add(
      flag,
      `${name} is a secret, and other processes can see arguments; read it from a file: -F ${name}=@FILE`,
    );
  }
  if (flag === "--raw-field") return text;
  return WORDS.has(text) || INTEGER.test(text) ? parseJson(text) : text;
}

const WORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Returns a body whose members are set by fields; undefined if there is neither. */
export function bodyWith(
  body: JsonValue | undefined,
  fields: readonly Field[],
  problems: Problems,
): JsonValue | undefined {
  if (fields.length === 0) return body;
  if (body !== undefined && !isJsonObject(body)) {
    problems.add("--file", "must contain a JSON object to be combined with fields");
    return body;
  }
  let typed: JsonValue = copyObject({});
  for (const { flag, name, path, value } of fields) {
    const next = withValue(typed, path, value);
    if (next === undefined) problems.add(flag, "conflicts with an earlier field", name);
    else typed = next;
  }
  return body === undefined ? typed : overlaid(body, typed);
}

function withValue(
  current: JsonValue | undefined,
  [key, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue | undefined {
  if (key === undefined) return current === undefined ? value : undefined;
  if (key === "") return withItem(current ?? [], rest, value);
  const object = current ?? copyObject({});
  if (!isJsonObject(object)) return undefined;
  const member = withValue(object[key], rest, value);
  return member === undefined ? undefined : Object.assign(copyObject(object), { [key]: member });
}

function withItem(items: JsonValue, path: readonly string[], value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(items)) return undefined;
  const last = items.at(-1);
  const [member] = path;
  const isMore = member !== undefined && isJsonObject(last) && !Object.hasOwn(last, member);
  const item = withValue(isMore ? last : undefined, path, value);
  return item === undefined ? undefined : [...(isMore ? items.slice(0, -1) : items), item];
}

function overlaid(base: JsonValue, over: JsonValue): JsonValue {
  if (!isJsonObject(base) || !isJsonObject(over)) return over;
  const merged: JsonObject = copyObject(base);
  for (const key of keysOf(over)) {
    const [before, after] = [base[key], over[key] ?? null];
    Object.assign(merged, { [key]: before === undefined ? after : overlaid(before, after) });
  }
  return merged;
}

/** Returns the query with the fields in it: a GET has no body. */
export function queryWith(
  query: Readonly<Record<string, string>>,
  fields: readonly Field[],
  problems: Problems,
): Record<string, string> {
  const names = [...Object.keys(query), ...fields.map(({ name }) => name)];
  for (const [index, { flag, name }] of fields.entries()) {
    if (names.indexOf(name) < Object.keys(query).length + index) problems.add(flag, "is in the query already", name);
  }
  return { ...query, ...Object.fromEntries(fields.map(({ name, text }) => [name, text])) };
}
