import { lacksRoute } from "../../../client/find.ts";
import { symbolFor } from "../../../coins/symbol-for.ts";
import { readId } from "../../../command-support/ids.ts";
import { reachOf } from "../../../command-support/shown.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isServiceRecord } from "../../../contract/service-record.ts";
import { DISTINGUISHING_FIELD } from "../../../contract/transaction/replacement.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Call } from "../../command.ts";
import { type BodyFlags, bodyFromFlags } from "../body/body-flags.ts";
import { askBody, askKind, typedKinds, withCallEntered } from "./ask-body.ts";
import { breaksRule, refuseByRelayer, replacementValidator, validateWithRelayer } from "./validate-fields.ts";

/**
 * Prompts for the body by the relayer's kind of network, with `-i` or if the field that determines the kind is missing.
 * Typed fields are not prompted for again, and no prompt appears while one is wrong.
 */
export async function replaceInterview(typedCall: Call<BodyFlags>): Promise<boolean> {
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
  const { relayer, before } = await currently(call, ids);
  const kind = typedKind ?? (await askKind(call, relayer));
  const fields = replacementValidator(kind, before, call.app.clock.now());
  if (breaksRule(fields, typed.body)) return true;
  await refuseByRelayer(call, relayer, { ...typed, kind });
  const validate = validateWithRelayer(fields, kind, relayer);
  if (before) await call.say(stateLine(before, relayer));
  const needsPrice = before !== undefined && isServiceRecord(before, kind);
  const coin = currencyOf(kind, relayer && (await symbolFor(call, relayer)));
  await askBody(call, { act: "replace", kind, named: typed.named, relayer, before, coin, validate, needsPrice });
  return true;
}

async function currently(
  call: Call,
  ids: { relayer: string; transaction: string },
): Promise<{ relayer: Relayer | undefined; before: Transaction | undefined }> {
  if (reachOf(call) === "nothing") return { relayer: undefined, before: undefined };
  const { client } = await call.session();
  const { data: relayer } = await client.relayers.get(ids.relayer);
  try {
    const { data: before } = await client.tx.get(ids.relayer, ids.transaction);
    return { relayer, before };
  } catch (error) {
    if (!lacksRoute(error, ids.relayer, ids.transaction)) throw error;
    return { relayer, before: undefined };
  }
}

function stateLine({ id, status, nonce }: Transaction, relayer: Relayer | undefined): string {
  const place = relayer ? ` of ${relayer.id} (${relayer.network ?? "unknown network"})` : "";
  return `transaction ${id}${place}: ${status ?? "in no known state"}${wireAmount(nonce) === undefined ? "" : `, nonce ${nonce}`}`;
}
