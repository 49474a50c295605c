import { isDryRun } from "../../../command-support/shown.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { fieldsInOutputOptions } from "../../../terminal/output-options.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { transactionView } from "../../../views/transaction/record.ts";
import type { Call } from "../../command.ts";
import { hasShownCall } from "../call/shown-call.ts";

export type CallReader = (data: string) => string | undefined;

const CALL = "call";

/** Returns the reader of calls, which takes a library, if `--fields`, `--where`, or `--sort` uses the field. */
export async function createCallField(call: Call): Promise<CallReader | undefined> {
  if (isDryRun(call) || !fieldsInOutputOptions(call.output).has(CALL)) return undefined;
  const { readCalls } = await import("../call/read-call.ts");
  return await readCalls(await call.session());
}

export function withCallField(view: ResourceView<Transaction>, read?: CallReader): ResourceView<Transaction> {
  return {
    ...view,
    fields: [...view.fields, CALL],
    derived: {
      ...view.derived,
      [CALL]: {
        value: (item) => (hasShownCall(item) ? (read?.(String(item.data)) ?? null) : null),
        reads: ["to", "data"],
        isWhole: true,
      },
    },
  };
}

export const transactionReadView = withCallField(transactionView);
