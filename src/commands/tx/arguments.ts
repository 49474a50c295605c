import { idProblem } from "../../contract/id.ts";
import type { Argument } from "../command.ts";
import { relayerArgument } from "../resource-arguments.ts";

export const senderArgument: Argument = {
  ...relayerArgument,
  name: "<relayer-id>",
  description: "Relayer ID (`-` reads one line from stdin)",
};

export const LOOKED_UP = "not needed before a single whole transaction ID";

export const transactionArgument: Argument = {
  name: "<tx-id>",
  description: "Transaction ID (`-` reads one line from stdin)",
  noun: "transaction",
  choices: async (call) => (await import("./record/choices.ts")).txRecordChoices(call),
  problem: idProblem,
};

export function pendingArguments(act: "replaced" | "canceled", unlessFound?: true): readonly Argument[] {
  return [
    {
      ...senderArgument,
      description: `ID of the relayer that sent the transaction${unlessFound ? `; ${LOOKED_UP}` : ""}`,
    },
    {
      ...transactionArgument,
      ...(unlessFound && { unlessFound }),
      choices: async (call) => (await import("./record/choices.ts")).pendingRecordChoices(call, act),
    },
  ];
}

export function sentTransactionsArguments(transactions: Pick<Argument, "choices" | "unless">): readonly Argument[] {
  return [
    { ...senderArgument, description: `Relayer ID, ${LOOKED_UP} (\`-\` reads lines from stdin, each as relayer/tx)` },
    {
      ...transactionArgument,
      name: "<tx-ids...>",
      description: "Transaction IDs (`-` reads IDs from stdin, one per line)",
      unlessStdin: true,
      unlessFound: true,
      ...transactions,
    },
  ];
}
