import { effectOf } from "../contract/effect.ts";
import { isJsonObject } from "../contract/json.ts";
import { type RelayctlError, unsentError } from "../errors.ts";
import { type ApiRequest, requestTarget } from "./request.ts";

/** Members of a relayer that neither move money nor loosen a limit. */
const HARMLESS = ["name", "notification_id"];

/**
 * Returns whether a request moves money or loosens a limit, or may do so. Pausing, and a freeze's cancellations, never
 * need a signature, so that an incident need not wait for a second user.
 */
export function needsSignature({ operation, body }: ApiRequest): boolean {
  const { id, kind, signs } = operation;
  if (kind === "read") return signs === true;
  if (id === "tx.cancel" || id.startsWith("notifications.")) return false;
  if (id === "relayers.update" && isJsonObject(body))
    return !Object.entries(body).every(
      ([name, value]) => HARMLESS.includes(name) || (name === "paused" && value === true),
    );
  return effectOf(operation, body).writes;
}

/** @throws RelayctlError declined for a request that needs signatures and has none */
export function refuseWithoutSignature(
  request: ApiRequest,
  approvers: { place: string } | undefined,
  isOneOfMany = false,
): void {
  if (!approvers || request.isSigned || !needsSignature(request)) return;
  throw signatureRefusal(`${request.operation.method} ${requestTarget(request)}`, approvers.place, isOneOfMany);
}

/** @param what the command or request @param place where the approvers are set */
export function signatureRefusal(what: string, place: string, isOneOfMany = false): RelayctlError {
  return unsentError("declined", `${what} needs the signatures of approvers (${place})`, {
    subject: { kind: "unsigned", isOneOfMany },
  });
}
