import type { JsonValue } from "../../contract/json.ts";

/** Returns the service's ID of a network (facts 8.2). A value of another type has been reported. */
export function networkId(type: JsonValue | undefined, name: JsonValue | undefined): string {
  const [kind, own] = [type, name].map((value) => (typeof value === "string" ? value : ""));
  return `${kind}:${own}`.toLowerCase();
}
