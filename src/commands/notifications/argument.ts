import { idProblem } from "../../contract/id.ts";
import type { Argument } from "../command.ts";

export const notificationArgument: Argument = {
  name: "<id>",
  description: "Notification ID (`-` reads one line from stdin)",
  noun: "notification",
  choices: async (call) => (await import("./choices.ts")).notificationChoices(call),
  problem: idProblem,
};
