import type { Context } from "../../config/config.ts";
import { type ChosenContext, chooseContext } from "../../config/contexts.ts";
import { typed } from "../../config/sourced.ts";
import { RelayctlError } from "../../errors.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";

/** `relayctl auth logout`: removes a stored token without a prompt. */
export const authLogout: CommandFile = {
  summary: "Remove the stored token",
  sends: "nothing",
  ends: { not_found: "context not found" },
  examples: ["relayctl auth logout", "relayctl auth logout --context prod", "relayctl auth logout --quiet"],
  define(command) {
    command.description(
      "Remove the stored token of the current context, or of the context that --context specifies. The context itself is kept.",
    );
  },
  run,
};

async function run({ app, common, say }: Call): Promise<View> {
  const named = typed("--context", common.context, app.env, "RELAYCTL_CONTEXT");
  let chosen: ChosenContext | undefined;
  await app.config.change((config) => {
    chosen = chooseContext(config, named);
    if (!chosen) throw new RelayctlError("not_found", "no context selected, so there is no token to remove");
    const { token: _, ...context } = chosen.context;
    return { ...config, contexts: { ...config.contexts, [chosen.name]: context } };
  });
  if (chosen)
    await say(receipt(chosen.name, chosen.context), chosen.context.token === undefined ? undefined : "outcome");
  return { kind: "nothing" };
}

function receipt(name: string, { token, token_command }: Context): string {
  if (token !== undefined)
    return `signed out of context ${name}: the token was removed from this machine, but is still valid`;
  if (token_command)
    return `context ${name} gets its token from a program: relayctl context set ${name} --no-token-command`;
  return `context ${name} has no token; nothing was changed`;
}
