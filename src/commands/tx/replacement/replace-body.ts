import { wireAmount } from "../../../contract/amount.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { replacementSchemas } from "../../../contract/requests.ts";
import { type BodyWords, bodyKind, kindsOf, validateValidUntil } from "../../../contract/transaction/body-kind.ts";
import { gasLimitProblem } from "../../../contract/transaction/intrinsic-gas.ts";
import { DISTINGUISHING_FIELD, TRANSFER_GAS } from "../../../contract/transaction/replacement.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError, unsent } from "../../../errors.ts";
import { convertedTyped } from "../../../views/transaction/body-rows.ts";
import type { TypedBody } from "../body/body-flags.ts";
import type { Earlier } from "../transaction-write.ts";

const WORDS: BodyWords = {
  command: "tx replace",
  noun: "replacement",
  needs: "needs --value (EVM), --transaction (Solana) or --network (Stellar)",
  required: DISTINGUISHING_FIELD,
};

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

const INHERITED = ["to", "value", "data", "gas_limit"];

export function validateInheriting(problems: Problems, typed: TypedBody, now: number): void {
  if (kindsOf(typed.named).some((kind) => kind !== "evm")) {
    problems.add("--inherit", "copies the fields of an EVM transaction: --to, --value, --data and --gas-limit");
    return;
  }
  const body = { value: 0, ...typed.body };
  validateReplacement(problems, { ...typed, body, named: [...typed.named, ...INHERITED] }, "evm", now);
}

/**
 * Returns the typed fields, and the others from the transaction.
 * @param readCommand the command that shows the transaction
 * @throws RelayctlError usage if the whole breaks a rule; conflict if there is nothing left to copy
 */
export function inheritedBody(typed: TypedBody, earlier: Earlier, now: number, readCommand: string): JsonObject {
  refuseNoop(earlier, readCommand);
  const copied = INHERITED.filter((field) => !typed.named.includes(field)).map((field) => [
    field,
    findCopy(field, earlier.data),
  ]);
  const given = copied.filter(([, value]) => value !== null);
  const body = { ...(Object.fromEntries(given) as JsonObject), ...typed.body };
  const problems = new Problems();
  const getSource = (path: string) => (path in typed.body ? typed.sourceOf(path) : `the transaction's ${path}`);
  // The service accepts a value that it returned, even above the interface's u128 (facts 11).
  const validated = typed.named.includes("value") ? body : { ...body, value: 0 };
  validateReplacement(
    problems,
    { ...typed, body: validated, named: [...typed.named, ...Object.keys(body)], sourceOf: getSource },
    "evm",
    now,
  );
  problems.throwIfAny("relayctl tx replace --help");
  return body;
}

function findCopy(field: string, before: Transaction): JsonValue {
  const value = before[field] ?? null;
  return field === "value" || field === "gas_limit" ? (wireAmount(value) ?? null) : value;
}

/** Refuses to copy from a no-op: a transfer of nothing, with `is_canceled`, or without before v1.6 (facts 5.5). */
function refuseNoop({ data: { id }, state: { cancellation, isNoop } }: Earlier, readCommand: string): void {
  if (cancellation !== "stands" && !isNoop) return;
  const words = cancellation === "stands" ? `the cancellation of ${id} is in progress` : `${id} is a no-op`;
  throw unsent("conflict", `${words}: its record has no transfer to copy`, {
    hint: readCommand,
    retryable: false,
  });
}

export function notReadable(id: string): never {
  throw new RelayctlError("not_found", `transaction ${id} cannot be read, so --inherit has nothing to copy`, {
    because: ["this service has no route for a single transaction; nothing was sent"],
    hint: "relayctl tx replace --help",
  });
}
