import { isNetworkKind } from "../../../contract/network-kind.ts";
import { policyFieldsOf } from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { type Part, partsOf } from "../edit/part.ts";

/** Returns the fields of a relayer's document. A relayer of an unknown kind has no policies. */
export function documentParts(relayer: Relayer, symbol: string | undefined): Part[] {
  const { network_type: kind } = relayer;
  const fields = partsOf(relayer).filter(({ path }) => !path.startsWith("policies."));
  if (!isNetworkKind(kind)) return fields;
  const field = { type: "object" as const, fields: policyFieldsOf(kind, symbol), unset: "every policy is reset" };
  return [...fields, { path: "policies", name: "policies", label: "policies", field }];
}

/** Returns the key of a part in its object. */
export function keyOf({ path }: Part): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
