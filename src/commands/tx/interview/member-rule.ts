import type { App } from "../../../app.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { replacementSchemas, transactionShapes } from "../../../contract/requests.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import type { Transaction } from "../../../contract/transaction.ts";
import { flagOf, judgeBody } from "../../../flow/body-problems.ts";
import { Problems } from "../../../flow/problems.ts";
import { type BodyFlags, bodyFromFlags } from "../body-flags.ts";
import { judgeMoment } from "../moment.ts";
import { inServiceSpelling } from "../service-spelling.ts";

/**
 * The rule of the contract, and of the service where the transaction shows it, that one member breaks beside the others
 * that are known, or nothing. It is read and judged as flags are; what other members break is not its business.
 * @param places the member, and what its problem may stand at besides: a file that was named
 */
export async function memberRule(
  app: App,
  flags: BodyFlags,
  { kind, before }: { kind: NetworkKind; before: Transaction | undefined },
  [member, ...places]: readonly [string, ...string[]],
): Promise<string | undefined> {
  const problems = new Problems();
  const { body, placeOf } = await bodyFromFlags({ app, flags }, problems);
  judgeBody(problems, replacementSchemas[kind], body, placeOf);
  if (before && isServiceRecord(before)) judgeBody(problems, transactionShapes[kind], inServiceSpelling(body), placeOf);
  judgeMoment(problems, placeOf("valid_until"), body, { kind, now: app.clock.now() });
  const flag = flagOf(member);
  return problems.found.find(({ where }) => where === flag || where.startsWith(`${flag} (`) || places.includes(where))
    ?.rule;
}
