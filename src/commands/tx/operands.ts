import { idProblem } from "../../contract/id.ts";
import type { Operand } from "../operand.ts";
import { relayerOperand } from "../relayers/operand.ts";

/** The relayer whose transactions a command is about. */
export const senderOperand: Operand = {
  ...relayerOperand,
  name: "<relayer-id>",
  description: "the relayer's id, or - for one line of stdin",
};

export const transactionOperand: Operand = {
  name: "<tx-id>",
  description: "the transaction's id, or - for one line of stdin",
  noun: "transaction",
  choices: async (call) => (await import("./choices.ts")).transactionChoices(call),
  problem: idProblem,
};

/** A transaction by its relayer and its own id. */
export const transactionOperands: readonly Operand[] = [
  { ...senderOperand, description: "the relayer that sent it" },
  transactionOperand,
];
