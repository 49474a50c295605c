import { contextNameProblem } from "../../config/contexts.ts";
import type { Operand } from "../operand.ts";

/** A context that may be new. */
export const newContextOperand: Operand = {
  name: "<name>",
  description: "Context name",
  noun: "context",
  problem: contextNameProblem,
};

/** The context that a command is about. */
export const contextOperand: Operand = {
  ...newContextOperand,
  choices: async (call) => (await import("./choices.ts")).contextChoices(call),
};
