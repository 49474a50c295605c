import { EXIT_CODES } from "../../../errors.ts";
import { helpSection, helpText, type TopicPage } from "../block.ts";

export const waitingPage: TopicPage = () => [
  helpText(
    "`relayctl tx wait`, and a write with --wait, end when the chain shows the outcome of the transaction, or when the time " +
      `is up: exit code ${EXIT_CODES.unmet} if it ended otherwise or will never be sent, ${EXIT_CODES.mismatch} if the chain shows another version, ${EXIT_CODES.pending} if it is ` +
      "still in progress.",
  ),
  helpSection("Flags", [
    { term: "--for GOAL", text: "broadcast, mined, confirmed (default), or final" },
    {
      term: "--confirmations N",
      text: "Blocks that have to follow, instead of what the network requires; only with confirmed",
    },
    { term: "--no-chain", text: "Trust only the record, and do not ask a node" },
    { term: "--node URL", text: "Node to ask instead of the relayer's; a key in the URL is never printed" },
    { term: "--deadline TIME", text: "Time limit for the whole command" },
  ]),
];
