import type { Client } from "../../../client/client.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import { ageText } from "../../../contract/age-text.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isPending, PENDING_STATUSES } from "../../../contract/transaction/transaction-state.ts";
import { ageOf } from "../../../contract/transaction/usual-time.ts";
import { RelayctlError } from "../../../errors.ts";
import { kept } from "../../../session/listed.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

/**
 * Returns lines for the question about a new transaction if what would wait in front of it is stuck: how many, since
 * when, why, and the command that helps. None without a question, or if it cannot be read in a few seconds.
 */
export async function stuckAheadLines(call: Call, relayer: Relayer): Promise<string[]> {
  const { app, common } = call;
  if (relayer.network_type !== "evm" || common.yes || !canPrompt(app, common)) return [];
  const session = await call.session();
  const client = session.briefly(COIN_TIMEOUT);
  try {
    const pending = await readPending(client, relayer.id);
    if (pending.length === 0) return [];
    const { diagnoseRelayer, nextCommand } = await import("./list-stuck.ts");
    const source = { session: { ...session, client }, relayerId: relayer.id, now: app.clock.now() };
    const { diagnosis, evidence } = await diagnoseRelayer(source, async (isWanted) =>
      [...pending.values()].filter(isWanted),
    );
    const { isStuck, head, waiting, findings } = diagnosis;
    if (isStuck !== true) return [];
    const age = head?.record && ageOf(head.record, evidence.now);
    const since = age === undefined ? "" : ` for ${ageText(age)}`;
    const many = waiting === 1 ? "1 transaction waits" : `${grouped(waiting)} transactions wait`;
    return [
      `warning: its queue is stuck: ${many} ahead, nonce ${head?.nonce ?? "unknown"}${since}: ${findings[0]?.message ?? ""}`,
      `  free it first: ${nextCommand(diagnosis, { id: relayer.id, flags: session.flags })}`,
    ];
  } catch (error) {
    if (!(error instanceof RelayctlError) || app.interrupt.aborted) throw error;
    return [];
  }
}

/** Reads the lists of pending states alone, which are short. A transaction that moves on meanwhile is in two of them. */
async function readPending(client: Pick<Client, "tx">, relayerId: string): Promise<Transaction[]> {
  const found = new Map<string, Transaction>();
  for (const status of PENDING_STATUSES)
    for (const each of await kept<Transaction>(client.tx.list(relayerId, {}, status), isPending))
      found.set(each.id, each);
  return [...found.values()];
}
