import type { Operand } from "../operand.ts";

/** The context that a command is about. */
export const contextOperand: Operand = { name: "<name>", description: "the context's name" };
