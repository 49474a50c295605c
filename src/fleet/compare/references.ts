import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { FleetNoun } from "../desired.ts";
import { hiddenIn } from "../hidden.ts";
import { type Existence, keyOf } from "./existence.ts";
import type { Findings } from "./findings.ts";

const REFERENCES = [
  { member: "signer_id", noun: "signers", name: "signer" },
  { member: "notification_id", noun: "notifications", name: "notification" },
] as const satisfies readonly { member: string; noun: FleetNoun; name: string }[];

/** Returns what a request about a relayer needs first; reports what does not exist. @param body with the references */
export function neededBy(body: JsonObject, existence: Existence, findings: Findings): string[] {
  return REFERENCES.flatMap(({ member, noun, name }) => {
    const id = body[member] ?? null;
    if (typeof id !== "string" || hiddenIn(id) !== undefined) return [];
    const standing = existence.of(noun, id);
    if (standing === "planned") return [keyOf(noun, id)];
    if (standing === "missing" || standing === "impossible") {
      const why = standing === "missing" ? "is neither in the files nor at the service" : "cannot be created";
      findings.impossible(member, { before: null, after: id, reason: `${name} "${id}" ${why}` });
    }
    return [];
  });
}

/** Returns the relayer that keeps a new one from using its signer: a signer serves one relayer per network (facts 3.1). */
export function signerUser(fields: JsonObject, relayers: Iterable<JsonObject>): JsonValue | undefined {
  for (const { id, signer_id, network, network_type } of relayers) {
    const isSame = signer_id === fields.signer_id && network === fields.network && network_type === fields.network_type;
    if (isSame && typeof signer_id === "string") return id;
  }
  return undefined;
}
