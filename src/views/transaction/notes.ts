import type { Transaction } from "../../contract/transaction/transaction.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { Ending } from "../../terminal/view.ts";
import { outcomeOf } from "./outcome.ts";

export function notesOfRecord(record: Transaction, session: Session, relayerId: string): Ending {
  const { more = [], askChain, hasReason } = outcomeOf(record) ?? {};
  const see = askChain ? [seeOnChain(record, session, relayerId)] : [];
  const why = hasReason ? [seeWith("--why", record, session, relayerId)] : [];
  return { notes: [...more, ...see, ...why] };
}

export function seeOnChain(record: Transaction, session: Pick<Session, "flags">, relayerId: string): { see: string } {
  return seeWith("--on-chain", record, session, relayerId);
}

function seeWith(
  flag: string,
  { id }: Transaction,
  { flags }: Pick<Session, "flags">,
  relayerId: string,
): { see: string } {
  return { see: commandLine(...flags, "tx", "get", relayerId, id, flag) };
}
