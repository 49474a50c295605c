import { nextWords } from "../../../command-support/receipt-words.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Ending } from "../../../terminal/view.ts";
import { outcomeOf } from "./outcome.ts";

/** Returns what a record means besides its status, and where only the chain is conclusive, the command that reads it. */
export function notesOfRecord(record: Transaction, session: Session, relayerId: string): Ending {
  const outcome = outcomeOf(record);
  return { notes: [...(outcome?.more ?? []), ...(outcome?.askChain ? [seeOnChain(record, session, relayerId)] : [])] };
}

/** Returns the line with the command that compares a record with the chain. */
export function seeOnChain({ id }: Transaction, { flags }: Pick<Session, "flags">, relayerId: string): string {
  return nextWords.see(commandLine(...flags, "tx", "get", relayerId, id, "--on-chain"));
}
