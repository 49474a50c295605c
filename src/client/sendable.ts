import { idProblem } from "../contract/id.ts";
import { isJsonObject, type JsonValue } from "../contract/json.ts";
import { isMasked, MASKED_URL } from "../contract/rpc-url.ts";
import { type Problem, usageError } from "../errors.ts";
import type { Ask } from "./request.ts";

/**
 * Refuses what must never be sent, whoever asks for it: an id that would change the path, and an RPC URL that the service
 * masked (design 7).
 * @throws RelayctlError usage
 */
export function refuseUnsendable(ask: Ask): void {
  const problems = [...idProblems(ask), ...maskedUrls(ask)];
  if (problems.length > 0) throw usageError(problems);
}

function idProblems({ parameters = {} }: Ask): Problem[] {
  return Object.entries(parameters).flatMap(([where, given]) => {
    const rule = idProblem(given);
    return rule === undefined ? [] : [{ where, given, rule }];
  });
}

function maskedUrls({ operation, body }: Ask): Problem[] {
  const urls = operation.id === "relayers.update" && isJsonObject(body) ? body.custom_rpc_urls : undefined;
  if (!Array.isArray(urls)) return [];
  return urls.flatMap((entry, index) =>
    isMaskedEntry(entry) ? [{ where: `custom_rpc_urls.${index}.url`, rule: MASKED_URL }] : [],
  );
}

function isMaskedEntry(entry: JsonValue): boolean {
  const url = isJsonObject(entry) ? entry.url : entry;
  return typeof url === "string" && isMasked(url);
}
