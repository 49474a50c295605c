import { idProblem } from "../../contract/id.ts";
import type { Operand } from "../operand.ts";

/** The network that a command is about. */
export const networkOperand: Operand = {
  name: "<id>",
  description: "the network's type and name, as evm:sepolia, or - for one line of stdin",
  noun: "network",
  choices: async (call) => (await import("./choices.ts")).networkChoices(call),
  problem: idProblem,
};
