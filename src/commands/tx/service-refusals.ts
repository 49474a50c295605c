import type { JsonObject } from "../../contract/json.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import { transactionSchemas } from "../../contract/requests.ts";
import { judgeBody } from "../../flow/body-problems.ts";
import { Problems } from "../../flow/problems.ts";
import { inServiceSpelling } from "./service-spelling.ts";

/**
 * What the real service will refuse in a replacement that the interface allows: there it is judged like a transaction
 * that is sent (service-facts 5.4). One line each, in the rule's own words.
 */
export function serviceRefusals(kind: NetworkKind, body: JsonObject, placeOf: (path: string) => string): string[] {
  const problems = new Problems();
  judgeBody(problems, transactionSchemas[kind], inServiceSpelling(body), placeOf);
  return problems.found.map(({ where, rule }) => `warning: services up to v1.8 refuse ${where}: ${rule}`);
}
