import { type Problem, usageError } from "../../errors.ts";
import { didYouMean } from "../../nearest.ts";
import type { ResourceView } from "../view.ts";

/**
 * A field that the contract knows; judged before anything is sent, so that a mistyped one is not an empty result.
 * @throws RelayctlError usage, naming the known ones
 */
export function knownField(path: string, flag: string, resource: ResourceView): string {
  if (resource.fields.includes(path)) return path;
  throw usageError([unknownFields([path], flag, resource)]);
}

export function unknownFields(paths: readonly string[], flag: string, { one, fields }: ResourceView): Problem {
  const rule = `unknown field of a ${one}${didYouMean(paths, fields)}; known: ${fields.join(", ")}`;
  return { where: flag, given: paths.join(", ") || "(empty)", rule };
}
