import { usageError } from "../../errors.ts";
import type { ResourceView } from "../view.ts";

/**
 * A field that the contract knows; judged before anything is sent, so that a mistyped one is not an empty result.
 * @throws RelayctlError usage, naming the known ones
 */
export function knownField(path: string, flag: string, resource: ResourceView): string {
  if (resource.fields.includes(path)) return path;
  const rule = `no field of a ${resource.one}; known: ${resource.fields.join(", ")}`;
  throw usageError([{ where: flag, given: path === "" ? "(empty)" : path, rule }]);
}
