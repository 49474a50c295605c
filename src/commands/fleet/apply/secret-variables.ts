import type { VariableFor } from "../../../command-support/request-body/body-placeholders.ts";
import type { ReferredValues } from "../../../fleet/compare/request-body.ts";

/** Matches a reference to a variable whose name a request can show. */
const VARIABLE = /^\$\{env:([A-Z_][A-Z0-9_]*)\}$/;

/**
 * Returns the names of the shell variables for the secrets of a resource: the variable that a file refers to, otherwise one
 * with the ID, since several requests may have a secret at the same place.
 */
export function secretVariables(referred: Iterable<ReferredValues>): (id: string) => VariableFor {
  const each = [...referred].flatMap((values) => [...values.values()]);
  const known = new Map(each.map(({ reference, value }) => [String(value), VARIABLE.exec(reference)?.[1]]));
  return (id) => (usual, secret) => known.get(secret) ?? `${usual}_${id.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
}
