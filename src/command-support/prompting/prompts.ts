import type { App } from "../../app.ts";
import type { Prompts } from "../../terminal/prompts.ts";
import type { CommonFlags } from "../common-flags.ts";

interface Prompting extends Pick<App, "env"> {
  stdin: Pick<App["stdin"], "isTerminal">;
  stderr: Pick<App["stderr"], "isTerminal">;
}

/** Returns whether a terminal is attached, and no `--no-input`, `RELAYCTL_NO_INPUT`, or `CI` is set (promises 5). */
export function canPrompt(app: Prompting, common: Pick<CommonFlags, "input">): boolean {
  return whyNoPrompt(app, common) === undefined;
}

export function whyNoPrompt(app: Prompting, common: Pick<CommonFlags, "input">): string | undefined {
  if (common.input === false) return "--no-input rules out prompts";
  const variable = (["RELAYCTL_NO_INPUT", "CI"] as const).find((name) => app.env[name]);
  if (variable !== undefined) return `${variable} rules out prompts`;
  return app.stdin.isTerminal && app.stderr.isTerminal ? undefined : "no terminal is attached";
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
