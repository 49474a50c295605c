import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { replacementSchemas } from "../../../contract/requests.ts";
import { gasLimitProblem } from "../../../contract/transaction/intrinsic-gas.ts";
import { DISTINGUISHING_FIELD, TRANSFER_GAS } from "../../../contract/transaction/replacement.ts";
import { convertedTyped } from "../../../views/transaction/body-rows.ts";
import type { TypedBody } from "../body/body-flags.ts";
import { type BodyWords, bodyKind } from "../body/body-kind.ts";
import { validateValidUntil } from "../body/valid-until.ts";

const WORDS: BodyWords = {
  command: "tx replace",
  noun: "replacement",
  needs: "needs --value (EVM), --transaction (Solana) or --network (Stellar)",
  required: DISTINGUISHING_FIELD,
};

/** Validates a replacement: it is of exactly one kind, follows the contract, has not expired, and has enough gas. */
export function validateReplacement(
  problems: Problems,
  typed: TypedBody,
  asked: NetworkKind | undefined,
  now: number,
): NetworkKind | undefined {
  const { body, named, sourceOf, coins } = typed;
  const kind = bodyKind(problems, named, asked, WORDS);
  if (kind) validateBody(problems, replacementSchemas[kind], body, sourceOf, convertedTyped(coins));
  validateValidUntil(problems, sourceOf("valid_until"), body, { kind, now });
  if (body.data !== undefined && body.data !== "0x" && !named.includes("gas_limit")) {
    problems.add(
      sourceOf("data"),
      `needs --gas-limit: without it the replacement is signed with ${TRANSFER_GAS} gas and fails; --no-gas-limit sends null`,
    );
  }
  const tooLow = gasLimitProblem(body);
  if (tooLow !== undefined && kind === "evm" && !problems.has(sourceOf("gas_limit")))
    problems.add(sourceOf("gas_limit"), tooLow);
  return kind;
}
