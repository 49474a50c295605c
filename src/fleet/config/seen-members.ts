import { relayerFields } from "../../contract/resources/relayer.ts";
import type { FleetNoun } from "../desired.ts";

/** What is wrong with a member that every plan shows. */
export const NOT_SEEN =
  "may only be made of variables whose values may be seen: add --allow-env NAME, which is never a token's";

const POINTERS = Object.entries(relayerFields).flatMap(([name, field]) =>
  "create" in field && "refersTo" in field.create ? [name] : [],
);

/** Returns the members of a resource that every plan shows: what names it, and what points to another one. */
export function seenMembers(noun: FleetNoun): readonly string[] {
  if (noun === "networks") return ["type", "network", "from"];
  return noun === "relayers" ? ["id", "network", "network_type", ...POINTERS] : ["id"];
}
