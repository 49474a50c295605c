import type { App } from "../../app.ts";
import type { Prompts } from "../../terminal/prompts.ts";
import type { CommonFlags } from "../common-flags.ts";

/**
 * Returns whether a terminal is attached: stdin and stderr are terminals, and neither `--no-input`,
 * `RELAYCTL_NO_INPUT`, nor `CI` is set (promises 5).
 */
export function canPrompt(app: App, common: Pick<CommonFlags, "input">): boolean {
  const isNonInteractive = common.input === false || Boolean(app.env.RELAYCTL_NO_INPUT) || Boolean(app.env.CI);
  return !isNonInteractive && app.stdin.isTerminal && app.stderr.isTerminal;
}

/** Returns the same prompts, each inside a wrapper, e.g. a paused clock. */
export function promptsWithin(prompts: Prompts, within: <T>(ask: () => Promise<T>) => Promise<T>): Prompts {
  return {
    confirm: (question) => within(() => prompts.confirm(question)),
    text: (question, options) => within(() => prompts.text(question, options)),
    hidden: (question, options) => within(() => prompts.hidden(question, options)),
    select: (question, choices, options) => within(() => prompts.select(question, choices, options)),
    search: (question, choices) => within(() => prompts.search(question, choices)),
    checkbox: (question, choices) => within(() => prompts.checkbox(question, choices)),
  };
}
