import { idProblem } from "../../contract/id.ts";
import { CHOOSING } from "../bulk/flags.ts";
import type { Operand } from "../operand.ts";

/** The relayer that a command is about. */
export const relayerOperand: Operand = {
  name: "<id>",
  description: "the relayer's id, or - for one line of stdin",
  noun: "relayer",
  choices: async (call) => (await import("./choices.ts")).relayerChoices(call),
  problem: idProblem,
};

/** The relayers that a command is about. */
export const relayersOperand: Operand = {
  ...relayerOperand,
  name: "<ids...>",
  description: "the relayers' ids; - reads ids from stdin, one on a line",
  unless: CHOOSING,
};
