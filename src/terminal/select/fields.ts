import { asReceived, isJsonObject, type JsonObject, keysOf } from "../../contract/json.ts";
import { type Problem, usageError } from "../../errors.ts";
import { nearestChoice } from "../../nearest.ts";
import type { ResourceView } from "../view.ts";

/** Parses `a,b.c` of `--fields`. @throws RelayctlError usage, with unknown fields and the closest known ones */
export function parseFields(text: string, resource: ResourceView): readonly string[] {
  const paths = text.split(",").map((path) => path.trim());
  const unknown = paths.filter((path) => !isField(path, resource));
  if (unknown.length > 0) throw usageError([unknownFields(unknown, "--fields", resource)]);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw usageError([{ where: "--fields", given: twice, rule: "is listed twice" }]);
  return paths;
}

/** Returns the resource with only these fields, in their nesting and order. An absent field stays absent. */
export function pickFields(item: JsonObject, paths: readonly string[]): JsonObject {
  const picked: JsonObject = Object.create(null);
  for (const key of keysOf(item)) {
    const inner = paths.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1));
    const value = asReceived(item, key) ?? null;
    if (paths.includes(key)) picked[key] = value;
    else if (inner.length > 0) picked[key] = isJsonObject(value) ? pickFields(value, inner) : value;
  }
  return picked;
}

/** Refuses a typo, which would give an empty result. @throws RelayctlError usage */
export function knownSelectField(path: string, flag: string, resource: ResourceView): string {
  if (isField(path, resource)) return path;
  throw usageError([unknownFields([path], flag, resource)]);
}

function isField(path: string, { fields, open }: ResourceView): boolean {
  const [parent, name, ...more] = path.split(".");
  return fields.includes(path) || (parent === open && Boolean(name) && more.length === 0);
}

function unknownFields(paths: readonly string[], flag: string, { one, fields }: ResourceView): Problem {
  const rule = `unknown field of a ${one}${nearestChoice(paths, fields)}`;
  return { where: flag, given: paths.join(", ") || "(empty)", rule };
}
