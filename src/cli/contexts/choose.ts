import type { App } from "../../app.ts";
import type { CommonFlags } from "../../command-support/common-flags.ts";
import { selectedContexts } from "../../config/selected-contexts.ts";
import type { Problems } from "../../contract/problems.ts";
import type { ChosenCommand } from "../program.ts";

/** Returns them in order, or undefined for one name; words that need one context are problems. @throws usage */
export async function chooseContexts(
  { config }: Pick<App, "config">,
  common: CommonFlags,
  { file, command, flags }: ChosenCommand,
  problems: Problems,
): Promise<readonly string[] | undefined> {
  const { context = "" } = common;
  const stored = await config.read();
  if (Object.hasOwn(stored.contexts, context)) return undefined;
  const { contexts } = file;
  if (!contexts) {
    problems.add("--context", "selects several contexts, and this command works with one; specify one name", context);
    return [];
  }
  const oneOnly = [...LIVE, ...(contexts.oneOnly ?? [])];
  for (const { attribute, long } of command.flags) {
    if (oneOnly.includes(attribute) && flags[attribute] !== undefined) problems.add(long, ONE);
  }
  const { demo, server, tokenFile, header, curl, dryRun, output } = common;
  const shown = { "--curl": curl, ...(contexts.itself && { "--dry-run": dryRun }) };
  const targets = { "--demo": demo, "--server": server, "--token-file": tokenFile, "--header": header, ...shown };
  for (const [flag, typed] of Object.entries(targets)) if (typed !== undefined) problems.add(flag, ONE);
  if (output === "raw") problems.add("-o", "raw is the response to one request; specify one context");
  return (await problems.gather(async () => selectedContexts(stored, context))) ?? [];
}

/** What runs until Ctrl-C is about one service. */
const LIVE = ["watch", "onChange", "listen"];
const ONE = "works with one context; specify one name with --context";
