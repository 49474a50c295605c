import { ifRouted } from "../../../client/read-named.ts";
import { symbolFor } from "../../../coins/coin-symbol.ts";
import { readId } from "../../../command-support/ids.ts";
import { dryRunReach } from "../../../command-support/shown.ts";
import { currencyOf, wireAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { givenTextFlag, Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { INVALID_XDR, isSignedXdr } from "../../../contract/requests/transaction/stellar/fields.ts";
import { replacementSchemas, transactionShapes } from "../../../contract/requests.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import { serviceSpelling, validateExpiry } from "../../../contract/transaction/body-kind.ts";
import { DISTINGUISHING_FIELD } from "../../../contract/transaction/replacement-price.ts";
import { PRICES, type Transaction } from "../../../contract/transaction/transaction.ts";
import { problemText, RelayctlError } from "../../../errors.ts";
import { refuseDisabledOrPaused } from "../../../relayer-state/disabled.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";
import { type BodyFlags, bodyFromFlags, hasCallFlags, type TypedBody } from "../body/body-flags.ts";
import { checkRelayerPolicies } from "../relayer-check.ts";
import { askBody, askKind, type BodyContext, typedKinds, type ValidateFields, withCallEntered } from "./ask-body.ts";

/** Typed fields are not prompted for again, and no prompt appears while one is wrong. */
export async function replaceTxInterview(typedCall: Call<BodyFlags>): Promise<boolean> {
  const call = await withCallEntered(typedCall);
  const problems = new Problems();
  const ids = {
    relayer: await readId(call, problems, "relayer-id", call.args[0]),
    transaction: await readId(call, problems, "tx-id", call.args[1]),
  };
  const typed = await bodyFromFlags(call, problems);
  const { interactive } = call.flags;
  const [typedKind, ...others] = typedKinds(call, typed);
  if (problems.found.length > 0 || others.length > 0) return true;
  if (!interactive && call.flags.inherit) return true;
  if (!interactive && typedKind && typed.named.includes(DISTINGUISHING_FIELD[typedKind])) return true;
  const { relayer, before } = await readTransactionNow(call, ids);
  const kind = typedKind ?? (await askKind(call, relayer));
  const fields = replacementValidator(kind, before, call.app.clock.now());
  const needsPrice = before !== undefined && isServiceRecord(before, kind);
  return await askRest(call, typed, fields, { act: "replace", kind, relayer, before, needsPrice });
}

/** Asks for what is missing, unless something typed is wrong. @returns that the interview has ended */
async function askRest(
  call: Call<BodyFlags>,
  { named, ...typed }: TypedBody,
  fields: ValidateFields,
  known: Omit<BodyContext, "named" | "coin" | "validate">,
): Promise<true> {
  if (breaksRule(fields, typed.body)) return true;
  const { kind, relayer, before } = known;
  await refuseByRelayer(call, relayer, { ...typed, kind });
  const validate = withRelayerRules(fields, kind, relayer);
  if (before) await call.say(stateLine(before, relayer));
  const coin = currencyOf(kind, relayer && (await symbolFor(await call.session(), relayer)));
  await askBody(call, { ...known, named, coin, validate });
  return true;
}

async function readTransactionNow(call: Call, ids: { relayer: string; transaction: string }) {
  if (dryRunReach(call) === "nothing") return { relayer: undefined, before: undefined };
  const { client } = await call.session();
  const { data: relayer } = await client.relayers.get(ids.relayer);
  const found = await ifRouted(client.tx.get(ids.relayer, ids.transaction), ids.relayer, ids.transaction);
  return { relayer, before: found?.data };
}

function stateLine({ id, status, nonce }: Transaction, relayer: Relayer | undefined): string {
  const place = relayer ? ` of ${relayer.id} (${relayer.network ?? "unknown network"})` : "";
  return `transaction ${id}${place}: ${status ?? "in no known state"}${wireAmount(nonce) === undefined ? "" : `, nonce ${nonce}`}`;
}

function replacementValidator(kind: NetworkKind, before: Transaction | undefined, now: number): ValidateFields {
  const validateSent = before && isServiceRecord(before, kind) ? transactionValidator(kind, now) : undefined;
  return (problems, body, sourceOf) => {
    validateBody(problems, replacementSchemas[kind], body, sourceOf);
    validateExpiry(problems, sourceOf("valid_until"), body, { kind, now });
    validateSent?.(problems, body, sourceOf);
  };
}

function transactionValidator(kind: NetworkKind, now: number): ValidateFields {
  return (problems, body, sourceOf) => {
    validateBody(problems, transactionShapes[kind], serviceSpelling(body), sourceOf);
    validateExpiry(problems, sourceOf("valid_until"), body, { kind, now });
    checkEnvelope(problems, body, sourceOf);
  };
}

/** Validates the envelope here: its rule belongs to the whole body, but must not discard other input. */
function checkEnvelope(problems: Problems, { transaction_xdr: xdr }: JsonObject, sourceOf: (path: string) => string) {
  const place = sourceOf("transaction_xdr");
  if (typeof xdr === "string" && isSignedXdr(xdr) === undefined && !problems.has(place))
    problems.add(place, INVALID_XDR, xdr);
}

function withRelayerRules(validate: ValidateFields, kind: NetworkKind, relayer: Relayer | undefined): ValidateFields {
  if (relayer?.network_type !== kind) return validate;
  return (problems, body, sourceOf) => {
    validate(problems, body, sourceOf);
    checkRelayerPolicies(problems, relayer, { kind, body, sourceOf });
  };
}

/** Refuses input that the relayer's rules forbid; the rest may follow. @throws RelayctlError usage */
async function refuseByRelayer(
  call: Call,
  relayer: Relayer | undefined,
  { kind, body, sourceOf }: { kind: NetworkKind; body: JsonObject; sourceOf(path: string): string },
): Promise<void> {
  if (relayer?.network_type !== kind) return;
  const { flags } = await call.session();
  const problems = new Problems();
  const sourceIfTyped = (path: string) => ((path.split(".")[0] ?? "") in body ? sourceOf(path) : "");
  checkRelayerPolicies(problems, relayer, { kind, body, sourceOf: sourceIfTyped });
  const [first, ...more] = problems.found.filter(({ where }) => where !== "").map(problemText);
  if (first === undefined) return;
  // Without details: an interview's are matched with the typed input, which lacks these.
  throw new RelayctlError("usage", first, {
    because: more,
    hint: commandLine(...flags, "relayers", "get", relayer.id),
  });
}

/** Returns whether a field breaks a rule by itself; later input may still fix rules across fields. */
function breaksRule(validate: ValidateFields, body: JsonObject): boolean {
  return Object.entries(body).some(([field, value]) => {
    const problems = new Problems();
    validate(problems, { [field]: value }, (path) => path);
    return problems.found.some(({ where }) => where === "" || where.split(".")[0] === field);
  });
}

/** The fields that each kind requires, one per row (facts 5.3, 5.7, 5.8). */
const NEEDED: Record<NetworkKind, readonly (readonly string[])[]> = {
  evm: [["value"], ["to", "data"], ["speed", ...PRICES]],
  solana: [["transaction", "instructions"]],
  stellar: [["network"], ["operations", "transaction_xdr"]],
};

/** No prompt appears while something typed is wrong, or if the relayer accepts no transaction now. */
export async function sendTxInterview(typedCall: Call<BodyFlags>): Promise<boolean> {
  const call = await withCallEntered(typedCall);
  const problems = new Problems();
  const id = await readId(call, problems, "relayer-id", call.args[0]);
  const typed = await bodyFromFlags(call, problems, givenTextFlag);
  const [typedKind, ...others] = typedKinds(call, typed);
  if (problems.found.length > 0 || others.length > 0) return true;
  const { interactive } = call.flags;
  const needsContract = hasCallFlags(call.flags) && !typed.named.includes("to");
  if (!interactive && !needsContract && typedKind && isWhole(typedKind, typed.named)) return true;
  const relayer = await readRelayer(call, id);
  const kind = typedKind ?? (await askKind(call, relayer));
  const fields = transactionValidator(kind, call.app.clock.now());
  const act = interactive ? "send" : "complete";
  return await askRest(call, typed, fields, { act, kind, relayer, before: undefined, needsPrice: true });
}

function isWhole(kind: NetworkKind, named: readonly string[]): boolean {
  return NEEDED[kind].every((fields) => fields.some((field) => named.includes(field)));
}

async function readRelayer(call: Call, id: string) {
  if (dryRunReach(call) === "nothing") return undefined;
  const { client, flags } = await call.session();
  const { data: relayer } = await client.relayers.get(id);
  refuseDisabledOrPaused(relayer, flags);
  return relayer;
}
