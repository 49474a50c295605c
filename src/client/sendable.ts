import { idProblem } from "../contract/id.ts";
import { takesRest } from "../contract/operation.ts";
import { MASKED_URL, maskedUrlPaths } from "../contract/rpc-url.ts";
import { type Problem, usageError } from "../errors.ts";
import type { ApiRequest } from "./request.ts";

/**
 * Rejects what must never be sent, whoever sends it: an ID that would change the path, and an RPC URL that the service
 * masked (promises 7.4).
 * @throws RelayctlError usage
 */
export function refuseUnsendable(request: ApiRequest): void {
  const problems = [...idProblems(request), ...maskedUrls(request)];
  if (problems.length > 0) throw usageError(problems);
}

function idProblems({ operation, parameters = {} }: ApiRequest): Problem[] {
  return Object.entries(parameters).flatMap(([where, given]) => {
    const parts = takesRest(operation, where) ? given.split("/") : [given];
    const rule = parts.map(idProblem).find((problem) => problem !== undefined);
    return rule === undefined ? [] : [{ where, given, rule }];
  });
}

function maskedUrls({ body }: ApiRequest): Problem[] {
  return maskedUrlPaths(body).map((where) => ({ where, rule: MASKED_URL }));
}
