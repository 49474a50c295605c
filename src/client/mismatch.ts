import { type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import { type HttpFacts, RelayctlError } from "../errors.ts";
import type { Difference } from "./compare.ts";
import type { Ask } from "./request.ts";

/** The error for a write that was accepted and whose answer is not what was asked; nothing when it is. */
export function mismatch(
  ask: Ask,
  answered: JsonObject,
  different: readonly Difference[],
  before: JsonObject | undefined,
  http: HttpFacts,
): RelayctlError | undefined {
  if (isUntouched(ask, answered, before)) {
    return new RelayctlError("mismatch", "the service answered success and replaced nothing", {
      applied: "no",
      because: ["a Stellar transaction cannot be replaced on this service: the hash is the one from before"],
      http,
    });
  }
  if (different.length === 0) return undefined;
  return new RelayctlError("mismatch", "accepted, but the service applied something else than was asked", {
    applied: "yes",
    because: different.map(differenceText),
    http,
  });
}

/** A Stellar replacement that leaves the hash as it was did nothing (service-facts 5.4). */
function isUntouched(ask: Ask, answered: JsonObject, before: JsonObject | undefined): boolean {
  if (ask.operation.id !== "tx.replace" || before === undefined || answered.source_account === undefined) return false;
  return answered.hash === before.hash;
}

/** `max_fee_per_gas: asked 5, answered 7` */
export function differenceText({ path, asked, answered }: Difference): string {
  return `${path}: asked ${valueText(asked)}, answered ${answered === undefined ? "nothing" : valueText(answered)}`;
}

function valueText(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value);
}
