import { type RelayctlError, unsentError } from "../errors.ts";
import { type ApiRequest, requestTarget } from "./request.ts";

/** Never says how to leave the mode. @param what the command or request @param place where the mode is set */
export function readOnlyRefusal(what: string, place: string): RelayctlError {
  return unsentError("declined", `${what} is refused: read-only mode is on (${place})`, {
    subject: { kind: "read_only" },
  });
}

/** @throws RelayctlError declined unless a request only asks: a signature can spend funds */
export function refuseIfReadOnly(request: ApiRequest, place: string): void {
  const { kind, method, signs } = request.operation;
  if (kind !== "read" || signs) throw readOnlyRefusal(`${method} ${requestTarget(request)}`, place);
}
