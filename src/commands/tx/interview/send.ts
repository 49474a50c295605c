import { symbolFor } from "../../../coins/symbol-for.ts";
import { readId } from "../../../command-support/ids.ts";
import { reachOf } from "../../../command-support/shown.ts";
import { currencyOf } from "../../../contract/currency.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { givenText, Problems } from "../../../contract/problems.ts";
import { PRICES } from "../../../contract/transaction/transaction.ts";
import { refuseIdle } from "../../../relayer-state/outlook.ts";
import type { Call } from "../../command.ts";
import { type BodyFlags, bodyFromFlags } from "../body/body-flags.ts";
import { isNamedCall } from "../call/call-flags.ts";
import { askBody, askKind, typedKinds, withCallEntered } from "./ask-body.ts";
import { breaksRule, refuseByRelayer, transactionValidator, validateWithRelayer } from "./validate-fields.ts";

/** Fields that a transaction of each kind requires: one per row (facts 5.3, 5.7, 5.8). */
const NEEDED: Record<NetworkKind, readonly (readonly string[])[]> = {
  evm: [["value"], ["to", "data"], ["speed", ...PRICES]],
  solana: [["transaction", "instructions"]],
  stellar: [["network"], ["operations", "transaction_xdr"]],
};

/**
 * Prompts for required fields; with `-i` for everything that was not typed. No prompt appears while something typed is
 * wrong, or if the relayer accepts no transaction now.
 */
export async function sendInterview(typedCall: Call<BodyFlags>): Promise<boolean> {
  const call = await withCallEntered(typedCall);
  const problems = new Problems();
  const id = await readId(call, problems, "relayer-id", call.args[0]);
  const typed = await bodyFromFlags(call, problems, givenText);
  const [typedKind, ...others] = typedKinds(call, typed);
  if (problems.found.length > 0 || others.length > 0) return true;
  const { interactive } = call.flags;
  const needsContract = isNamedCall(call.flags) && !typed.named.includes("to");
  if (!interactive && !needsContract && typedKind && isWhole(typedKind, typed.named)) return true;
  const relayer = await readRelayer(call, id);
  const kind = typedKind ?? (await askKind(call, relayer));
  const fields = transactionValidator(kind, call.app.clock.now());
  if (breaksRule(fields, typed.body)) return true;
  await refuseByRelayer(call, relayer, { ...typed, kind });
  const validate = validateWithRelayer(fields, kind, relayer);
  const act = interactive ? "send" : "complete";
  const coin = currencyOf(kind, relayer && (await symbolFor(call, relayer)));
  const known = {
    act,
    kind,
    named: typed.named,
    relayer,
    before: undefined,
    coin,
    validate,
    needsPrice: true,
  } as const;
  await askBody(call, known);
  return true;
}

function isWhole(kind: NetworkKind, named: readonly string[]): boolean {
  return NEEDED[kind].every((fields) => fields.some((field) => named.includes(field)));
}

async function readRelayer(call: Call, id: string) {
  if (reachOf(call) === "nothing") return undefined;
  const { client, flags } = await call.session();
  const { data: relayer } = await client.relayers.get(id);
  refuseIdle(relayer, flags);
  return relayer;
}
