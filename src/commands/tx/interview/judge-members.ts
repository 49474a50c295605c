import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { replacementSchemas, transactionShapes } from "../../../contract/requests.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import type { Transaction } from "../../../contract/transaction.ts";
import { judgeBody } from "../../../flow/body-problems.ts";
import { Problems } from "../../../flow/problems.ts";
import { judgeMoment } from "../moment.ts";
import { inServiceSpelling } from "../service-spelling.ts";

/** Judges a body that is not whole yet, as far as its members go. */
export type JudgeMembers = (problems: Problems, body: JsonObject, placeOf: (path: string) => string) => void;

/** By the contract, and by the service where the transaction shows it. */
export function replacementJudge(kind: NetworkKind, before: Transaction | undefined, now: number): JudgeMembers {
  const judgeSent = before && isServiceRecord(before) ? transactionJudge(kind, now) : undefined;
  return (problems, body, placeOf) => {
    judgeBody(problems, replacementSchemas[kind], body, placeOf);
    judgeMoment(problems, placeOf("valid_until"), body, { kind, now });
    judgeSent?.(problems, body, placeOf);
  };
}

export function transactionJudge(kind: NetworkKind, now: number): JudgeMembers {
  return (problems, body, placeOf) => {
    judgeBody(problems, transactionShapes[kind], inServiceSpelling(body), placeOf);
    judgeMoment(problems, placeOf("valid_until"), body, { kind, now });
  };
}

/** Whether a member is wrong by itself: what it breaks beside others, the answers may still mend. */
export function breaksRule(judge: JudgeMembers, body: JsonObject): boolean {
  return Object.entries(body).some(([member, value]) => {
    const problems = new Problems();
    judge(problems, { [member]: value }, (path) => path);
    return problems.found.some(({ where }) => where === "" || where.split(".")[0] === member);
  });
}
