import { INVALID_XDR, isSignedXdr } from "../../../contract/encoding/xdr.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { replacementSchemas, transactionShapes } from "../../../contract/requests.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { problemText, RelayctlError } from "../../../errors.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";
import { inServiceSpelling, validateValidUntil } from "../body/body-kind.ts";
import { validatePolicies } from "../relayer-check.ts";

export type ValidateFields = (problems: Problems, body: JsonObject, sourceOf: (path: string) => string) => void;

export function replacementValidator(kind: NetworkKind, before: Transaction | undefined, now: number): ValidateFields {
  const validateSent = before && isServiceRecord(before, kind) ? transactionValidator(kind, now) : undefined;
  return (problems, body, sourceOf) => {
    validateBody(problems, replacementSchemas[kind], body, sourceOf);
    validateValidUntil(problems, sourceOf("valid_until"), body, { kind, now });
    validateSent?.(problems, body, sourceOf);
  };
}

export function transactionValidator(kind: NetworkKind, now: number): ValidateFields {
  return (problems, body, sourceOf) => {
    validateBody(problems, transactionShapes[kind], inServiceSpelling(body), sourceOf);
    validateValidUntil(problems, sourceOf("valid_until"), body, { kind, now });
    validateEnvelope(problems, body, sourceOf);
  };
}

/** Validates the envelope here: its rule belongs to the whole body, but must not discard other input. */
function validateEnvelope(
  problems: Problems,
  { transaction_xdr: xdr }: JsonObject,
  sourceOf: (path: string) => string,
) {
  const place = sourceOf("transaction_xdr");
  if (typeof xdr === "string" && isSignedXdr(xdr) === undefined && !problems.has(place))
    problems.add(place, INVALID_XDR, xdr);
}

export function validateWithRelayer(
  validate: ValidateFields,
  kind: NetworkKind,
  relayer: Relayer | undefined,
): ValidateFields {
  if (relayer?.network_type !== kind) return validate;
  return (problems, body, sourceOf) => {
    validate(problems, body, sourceOf);
    validatePolicies(problems, relayer, { kind, body, sourceOf });
  };
}

/** Refuses input that the relayer's own rules forbid; the rest may follow. @throws RelayctlError usage */
export async function refuseByRelayer(
  call: Call,
  relayer: Relayer | undefined,
  { kind, body, sourceOf }: { kind: NetworkKind; body: JsonObject; sourceOf(path: string): string },
): Promise<void> {
  if (relayer?.network_type !== kind) return;
  const { flags } = await call.session();
  const problems = new Problems();
  const sourceIfTyped = (path: string) => ((path.split(".")[0] ?? "") in body ? sourceOf(path) : "");
  validatePolicies(problems, relayer, { kind, body, sourceOf: sourceIfTyped });
  const [first, ...more] = problems.found.filter(({ where }) => where !== "").map(problemText);
  if (first === undefined) return;
  // Without details: those of an interview's usage error are matched with the typed input, which does not include them.
  throw new RelayctlError("usage", first, {
    because: more,
    hint: commandLine(...flags, "relayers", "get", relayer.id),
  });
}

/** Returns whether a field breaks a rule by itself; later input may still fix rules across fields. */
export function breaksRule(validate: ValidateFields, body: JsonObject): boolean {
  return Object.entries(body).some(([field, value]) => {
    const problems = new Problems();
    validate(problems, { [field]: value }, (path) => path);
    return problems.found.some(({ where }) => where === "" || where.split(".")[0] === field);
  });
}
