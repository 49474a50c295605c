import type { Config, Context } from "../../config/config.ts";
import { type ChosenContext, chooseContext } from "../../config/contexts.ts";
import { projectContext } from "../../config/project/project.ts";
import { flagOrEnv } from "../../config/sourced.ts";
import { RelayctlError } from "../../errors.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { CommandFile } from "../command.ts";

export const authLogout: CommandFile = {
  summary: "Remove the stored token",
  sends: "nothing",
  takes: ["context"],
  ends: {
    not_found: "context not found",
    auth: "token not removed from its store",
    conflict: "context changed by another program",
  },
  examples: ["relayctl auth logout", "relayctl auth logout --context prod", "relayctl auth logout --quiet"],
  description:
    "Remove the stored token and headers of the current context, or of the context that --context specifies. The context itself is kept. A token that `auth login --store` stored is removed from that store.",
  async run(call) {
    const { app, common, say } = call;
    const named =
      flagOrEnv("--context", common.context, app.env, "RELAYCTL_CONTEXT") ?? (await projectContext(app.project));
    const found = chosenIn(await app.config.read(), named);
    const { removeStoredToken } = await import("../token-store/stored-token.ts");
    let chosen = found;
    const change = (config: Config, place: string | undefined) => {
      chosen = chosenIn(config, named);
      const { token: _, headers: _headers, ...context } = chosen.context;
      if (place === undefined) return withContext(config, chosen.name, context);
      refuseOther(found, chosen);
      const { token_command: __, ...signedOut } = context;
      return withContext(config, chosen.name, signedOut);
    };
    const place = await removeStoredToken(call, found, (place) => app.config.change((config) => change(config, place)));
    const { token, headers } = chosen.context;
    const isRemoved = place !== undefined || token !== undefined || headers !== undefined;
    const done = logoutReceipt(chosen.name, chosen.context, place);
    await say(isRemoved ? { done } : done);
    return { kind: "nothing" };
  },
};

function chosenIn(config: Config, named: Parameters<typeof chooseContext>[1]): ChosenContext {
  const chosen = chooseContext(config, named);
  if (!chosen) throw new RelayctlError("not_found", "no context selected, so there is no token to remove");
  return chosen;
}

function withContext(config: Config, name: string, context: Context): Config {
  return { ...config, contexts: { ...config.contexts, [name]: context } };
}

function refuseOther(found: ChosenContext, now: ChosenContext): void {
  if (found.name === now.name && String(found.context.token_command) === String(now.context.token_command)) return;
  throw new RelayctlError("conflict", `context ${now.name} was changed by another program; its config was not changed`);
}

function logoutReceipt(name: string, { token, token_command, headers }: Context, place: string | undefined): string {
  const what = headers ? "the token and the headers were" : "the token was";
  const are = headers ? "are" : "is";
  if (place !== undefined)
    return `signed out of context ${name}: ${what} removed from ${place}, but ${are} still valid`;
  if (token !== undefined)
    return `signed out of context ${name}: ${what} removed from this machine, but ${are} still valid`;
  if (headers) return `the headers of context ${name} were removed from this machine, but are still valid`;
  if (token_command)
    return `context ${name} gets its token from a program: ${commandLine("context", "set", name, "--no-token-command")}`;
  return `context ${name} has no token; nothing was changed`;
}
