import { askConsent } from "../../command-support/consent/consent.ts";
import type { Config } from "../../config/config.ts";
import { shownOrigin } from "../../config/connection/origin.ts";
import { contextNamed } from "../../config/contexts.ts";
import type { CommandFile } from "../command.ts";
import { requireSigned } from "./approver-flags.ts";
import { contextArgument } from "./argument.ts";

export const contextDelete: CommandFile = {
  summary: "Delete a context and its token",
  sends: "nothing",
  ends: { declined: "not confirmed", auth: "token not removed from its store" },
  examples: [
    "relayctl context delete staging",
    "relayctl context delete staging --yes",
    "relayctl context delete staging --yes --quiet",
  ],
  args: [contextArgument],
  description:
    "Delete a context and its token, including the token in the store of `auth login --store`. Nothing is sent to the service.",
  async run(call) {
    const { app, args, say } = call;
    const [name = ""] = args;
    const context = contextNamed(await app.config.read(), name);
    requireSigned(name, context, undefined, true);
    const { removeStoredToken, storedTokenPlace } = await import("../token-store/stored-token.ts");
    const place = (await storedTokenPlace(call, name, context.token_command))?.place;
    await askConsent(call, {
      question: `Delete context ${name} (${shownOrigin(context.server)}) and its token${place === undefined ? "" : ` in ${place}`}?`,
      act: "deleting a context",
      sort: "yes",
    });
    await removeStoredToken(call, { name, context }, () => app.config.change((config) => withoutContext(config, name)));
    await say({ done: `deleted context ${name}` });
    return { kind: "nothing" };
  },
};

function withoutContext(config: Config, name: string): Config {
  contextNamed(config, name);
  const { [name]: _, ...contexts } = config.contexts;
  const { current, ...rest } = config;
  return { ...rest, ...(current !== undefined && current !== name && { current }), contexts };
}
