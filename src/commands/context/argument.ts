import { contextNameProblem } from "../../config/contexts.ts";
import type { Argument } from "../command.ts";

export const newContextArgument: Argument = {
  name: "<name>",
  description: "Context name",
  noun: "context",
  problem: contextNameProblem,
};

export const contextArgument: Argument = {
  ...newContextArgument,
  choices: async (call) => (await import("./choices.ts")).contextChoices(call),
};
