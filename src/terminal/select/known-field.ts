import { type Problem, usageError } from "../../errors.ts";
import { didYouMean } from "../../nearest.ts";
import type { ResourceView } from "../view.ts";

/**
 * Returns a field that the contract knows; checked before anything is sent, so that a typo does not give an empty
 * result.
 * @throws RelayctlError usage, with the known fields
 */
export function knownField(path: string, flag: string, resource: ResourceView): string {
  if (resource.fields.includes(path)) return path;
  throw usageError([unknownFields([path], flag, resource)]);
}

export function unknownFields(paths: readonly string[], flag: string, { one, fields }: ResourceView): Problem {
  const rule = `unknown field of a ${one}${didYouMean(paths, fields)}; known: ${fields.join(", ")}`;
  return { where: flag, given: paths.join(", ") || "(empty)", rule };
}
