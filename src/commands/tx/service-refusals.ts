import { Problems } from "../../command-support/problems.ts";
import { validateBody } from "../../command-support/request-body/body-problems.ts";
import { transactionSchemas } from "../../contract/requests.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Call } from "../command.ts";
import { convertedTyped } from "./body/body-rows.ts";
import { inServiceSpelling } from "./body/service-spelling.ts";
import type { Replaced } from "./replacement/replace-preflight.ts";

/**
 * Validates a replacement by rules of the real service that the interface does not have: the service validates it like
 * a new transaction (facts 5.4). A violation is a problem if the transaction's record shows that service, otherwise a
 * warning; both in the words of the rule.
 * @param before the transaction that is replaced; absent if it cannot be read
 * @throws RelayctlError usage
 */
export async function validateForService(
  call: Call,
  { kind, body, sourceOf, coins }: Replaced,
  before?: Transaction,
): Promise<void> {
  const problems = new Problems();
  if (kind) validateBody(problems, transactionSchemas[kind], inServiceSpelling(body), sourceOf, convertedTyped(coins));
  if (before && isServiceRecord(before)) problems.throwIfAny("relayctl tx replace --help");
  for (const { where, rule } of problems.found) await call.say(`warning: services up to v1.8 refuse ${where}: ${rule}`);
}
