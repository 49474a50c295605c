import { VERSION } from "../../version.ts";
import { heading, type Paper, wrapped } from "./draw.ts";

const ROWS = [
  ["Try it now", "relayctl --demo relayers list"],
  ["Connect", "relayctl auth login"],
  ["Every day", "relayers status | list | get | edit | update | pause | resume"],
  ["", "tx list | get | send | replace | cancel"],
  ["", "notifications list | get | create | update"],
  ["What happened", "history | history show"],
  ["Less often", "relayers create | delete · signers · networks · plugins · server"],
  ["All commands", "relayctl help"],
  ["Scripts", "relayctl help output · relayctl help exit-codes"],
] as const;
const LABEL = 16;

/** Stands for the spaces of a command, which is not broken. */
const KEPT_SPACE = "\u0001";

function kept(command: string): string {
  return command.replaceAll(" ", KEPT_SPACE);
}

/** Returns the first steps, printed by `relayctl` without a command. */
export function bareText(paper: Paper): string {
  const title = `relayctl ${VERSION} · operate relayers, their transactions, and their notifications`;
  const rows = ROWS.map(([label, text]) => {
    const lines = wrapped(text.replaceAll(/relayctl [^·]*[^· ]/g, kept), paper.width, LABEL).replaceAll(
      KEPT_SPACE,
      " ",
    );
    return heading(label, paper) + " ".repeat(LABEL - label.length) + lines;
  });
  return `${wrapped(title, paper.width)}\n\n${rows.join("\n")}\n`;
}
