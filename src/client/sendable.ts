import { idProblem } from "../contract/id.ts";
import { takesRest } from "../contract/operation.ts";
import { MASKED_URL, maskedUrlPlaces } from "../contract/rpc-url.ts";
import { type Problem, usageError } from "../errors.ts";
import type { Ask } from "./request.ts";

/**
 * Rejects what must never be sent, whoever sends it: an ID that would change the path, and an RPC URL that the service
 * masked (promises 7.4).
 * @throws RelayctlError usage
 */
export function refuseUnsendable(ask: Ask): void {
  const problems = [...idProblems(ask), ...maskedUrls(ask)];
  if (problems.length > 0) throw usageError(problems);
}

function idProblems({ operation, parameters = {} }: Ask): Problem[] {
  return Object.entries(parameters).flatMap(([where, given]) => {
    const parts = takesRest(operation, where) ? given.split("/") : [given];
    const rule = parts.map(idProblem).find((problem) => problem !== undefined);
    return rule === undefined ? [] : [{ where, given, rule }];
  });
}

function maskedUrls({ body }: Ask): Problem[] {
  return maskedUrlPlaces(body).map((where) => ({ where, rule: MASKED_URL }));
}
