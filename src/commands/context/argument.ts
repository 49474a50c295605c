import { contextNameProblem } from "../../config/contexts.ts";
import type { Argument } from "../argument.ts";

/** A context that may be new. */
export const newContextArgument: Argument = {
  name: "<name>",
  description: "Context name",
  noun: "context",
  problem: contextNameProblem,
};

/** The context that a command is about. */
export const contextArgument: Argument = {
  ...newContextArgument,
  choices: async (call) => (await import("./choices.ts")).contextChoices(call),
};
