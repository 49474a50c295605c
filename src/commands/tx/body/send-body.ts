import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { transactionSchemas, transactionShapes } from "../../../contract/requests.ts";
import { convertedTyped } from "../../../views/transaction/body-rows.ts";
import type { TypedBody } from "./body-flags.ts";
import { type BodyWords, bodyKind, inServiceSpelling, validateValidUntil } from "./body-kind.ts";

const WORDS: BodyWords = {
  command: "tx send",
  noun: "transaction",
  needs: "needs --value (EVM), --transaction or --instructions (Solana), or --network (Stellar)",
  required: { evm: "value", stellar: "network" },
};

export interface ValidatedBody {
  body: JsonObject;
  kind: NetworkKind | undefined;
}

/** Validates a transaction by every rule that does not depend on its relayer (facts 5.3, 5.7, 5.8). */
export function validateTransaction(
  problems: Problems,
  { body: typed, named, sourceOf, coins }: TypedBody,
  asked: NetworkKind | undefined,
  now: number,
): ValidatedBody {
  const body = inServiceSpelling(typed);
  const kind = bodyKind(problems, named, asked, WORDS);
  // The rules across fields would treat an unreadable field as missing.
  const schemas = named.every((field) => field in body) ? transactionSchemas : transactionShapes;
  if (kind) validateBody(problems, schemas[kind], body, sourceOf, convertedTyped(coins));
  validateValidUntil(problems, sourceOf("valid_until"), body, { kind, now });
  return { body, kind };
}
