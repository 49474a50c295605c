import { contextNamed } from "../../config/contexts.ts";
import type { CommandFile } from "../command.ts";
import { contextArgument } from "./argument.ts";

export const contextUse: CommandFile = {
  summary: "Make a context the current one",
  sends: "nothing",
  examples: ["relayctl context use prod", "relayctl context use staging", "relayctl context use default --quiet"],
  args: [contextArgument],
  description:
    "Make a context the current one. It is used whenever neither a flag nor a variable specifies another context.",
  async run({ app, args: [name = ""], say }) {
    await app.config.change((config) => {
      contextNamed(config, name);
      return { ...config, current: name };
    });
    await say({ done: `the current context is ${name}` });
    if (app.env.RELAYCTL_CONTEXT)
      await say({ note: `RELAYCTL_CONTEXT is set and selects ${app.env.RELAYCTL_CONTEXT} instead` });
    return { kind: "nothing" };
  },
};
