import type { App } from "../../app.ts";
import type { CommonFlags } from "../common-flags.ts";

/**
 * Returns whether a terminal is attached: stdin and stderr are terminals, and neither `--no-input`,
 * `RELAYCTL_NO_INPUT`, nor `CI` is set (promises 5).
 */
export function canPrompt(app: App, common: CommonFlags): boolean {
  const isNonInteractive = common.input === false || Boolean(app.env.RELAYCTL_NO_INPUT) || Boolean(app.env.CI);
  return !isNonInteractive && app.stdin.isTerminal && app.stderr.isTerminal;
}
