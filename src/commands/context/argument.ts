import { contextNameProblem } from "../../config/contexts.ts";
import type { Argument } from "../command.ts";

/** The argument for a context that may be new. */
export const newContextArgument: Argument = {
  name: "<name>",
  description: "Context name",
  noun: "context",
  problem: contextNameProblem,
};

/** The argument for an existing context. */
export const contextArgument: Argument = {
  ...newContextArgument,
  choices: async (call) => (await import("./choices.ts")).contextChoices(call),
};
