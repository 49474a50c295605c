import type { Call } from "../../../command-support/call.ts";
import { commonTargetFlags } from "../../../command-support/common-flags.ts";
import { type Transaction, txState } from "../../../contract/transaction/transaction.ts";
import { unsentError } from "../../../errors.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Choice } from "../../../terminal/prompts.ts";
import { isCanceledAlready } from "../../../views/transaction/cancellation.ts";
import { newestTransactions } from "../../../views/transaction/newest.ts";
import { resourceChoices } from "../../resource-arguments.ts";

const OFFERED = 100;

type Choices = readonly Choice<string>[] | undefined;

export async function txRecordChoices(call: Call): Promise<Choices> {
  const found = await readNewest(call);
  return found && resourceChoices(found.map(choiceRow));
}

export async function pendingRecordChoices(call: Call, act: "replaced" | "bumped" | "canceled"): Promise<Choices> {
  const found = await readNewest(call);
  const pending = found?.filter((one) => {
    const state = txState(one);
    return !state.isOver && (act !== "canceled" || isCanceledAlready(one, state) === undefined);
  });
  if (pending?.length !== 0) return pending && resourceChoices(pending.map(choiceRow));
  const [relayerId = ""] = call.args;
  throw unsentError("not_found", `${relayerId} has no transaction that can be ${act}`, {
    hint: commandLine(...commonTargetFlags(call.common), "tx", "list", relayerId),
  });
}

async function readNewest(call: Call): Promise<Transaction[] | undefined> {
  const [relayerId = ""] = call.args;
  const { client } = await call.session();
  return await newestTransactions(client, relayerId, OFFERED);
}

function choiceRow({ id, status, nonce, to }: Transaction) {
  const about = [status, nonce === undefined || nonce === null ? "" : `nonce ${nonce}`, to && `to ${to}`];
  return { value: id, about };
}
