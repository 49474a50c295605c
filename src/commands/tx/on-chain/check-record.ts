import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Cell, Ending } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { notesOfRecord } from "../record/notes.ts";
import { type Lookup, previousHashNotes } from "./lookup.ts";

/** What was found out about a record besides its fields. */
interface Check {
  /** The status next to what the chain shows. */
  status?: Cell;
  /** The value on the chain in wei, which decides whether the coin matters. */
  seen?: bigint | undefined;
  ending(symbol: string | undefined): Promise<Ending> | Ending;
}

/** Reads the chain with `--on-chain`, and for an EVM record that reads `confirmed`; no other record costs a call. */
export async function checkOf(call: Call<{ onChain?: true }>, lookup: Lookup): Promise<Check> {
  const { record, relayerId, kind } = lookup;
  const session = await call.session();
  if (call.flags.onChain && kind !== "evm") {
    const { compareWithChain } = await import("./compare-with-chain.ts");
    if (lookup.nodeUrl !== undefined) await call.say(`note: --node has no effect on ${kind} transactions`);
    return {
      ending: async () => withNotes(lookup, await compareWithChain(session.client, relayerId, record, kind)),
    };
  }
  if (call.flags.onChain || (kind === "evm" && statusOf(record) === "confirmed")) {
    const { checkEvm } = await import("./check-evm.ts");
    const check = await checkEvm(session, lookup, call.flags.onChain === true);
    const isPlain = check.isChecked && statusOf(record) === "confirmed";
    return {
      ...check,
      ending: (symbol) => (isPlain ? check.ending(symbol) : withNotes(lookup, check.ending(symbol))),
    };
  }
  return { ending: () => withNotes(lookup, notesOfRecord(record, session, relayerId)) };
}

function withNotes({ record, was }: Lookup, { notes = [], ...ending }: Ending): Ending {
  return { ...ending, notes: [...previousHashNotes({ record, was }), ...notes] };
}
