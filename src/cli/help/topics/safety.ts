import type { OperationKind } from "../../../contract/operation.ts";
import { allCommands } from "../../all-commands.ts";
import { helpSection, helpText, type Row, type TopicPage } from "../block.ts";

/** Consent depends only on the request (promises 5). */
const CONSENT: readonly Row[] = [
  {
    term: "none",
    text:
      "Reads, signatures that are not sent anywhere, creates, and changes of one resource that is identified in full, " +
      "except a gas_price_cap that rises or falls a thousandfold",
  },
  {
    term: "[y/N], --yes",
    text:
      "Sending, replacing, or canceling a transaction, calling a plugin, every delete, removing or rotating a signing key, a " +
      "gas_price_cap that rises or falls a thousandfold, more than one target, an undo without the ID of its run, a write " +
      "that relayctl does not recognize",
  },
  {
    term: "the ID, --confirm ID",
    text:
      "Resetting all policies; unsetting or emptying a list that limits a relayer (whitelist_receivers, allowed_programs, " +
      "allowed_accounts, allowed_tokens, disallowed_accounts); a change that relayctl does not recognize. Freezing or " +
      "changing several like this requires their number, `tx send-many` its sum",
  },
  {
    term: "its name, --confirm NAME",
    text: "Every write in a protected context, except pausing one relayer (`relayctl context set NAME --protected`)",
  },
];

/** What happens when a response is lost (promises 7.1). */
const LOST: Record<OperationKind, string> = {
  read: "Retried, up to --retries times",
  patch: "Read back; applied if the service now has the requested values, otherwise unknown (11)",
  create: "Read back by its ID, which relayctl generates unless you specify one",
  remove: "Read back; applied if the resource is gone, otherwise unknown (11)",
  once: "Never sent again, whatever the value of --retries; unknown (11)",
};

const PREVIEWS: readonly Row[] = [
  {
    term: "--dry-run",
    text: "Print the request and send only reads that it is built from, as in `tx bump`, or that --diff, --simulate, --where, or --all need",
  },
  { term: "--curl", text: "Print the equivalent curl command, with the token as a shell variable" },
  { term: "--diff", text: "Read first, and show the old and new values and the command that undoes the change" },
  {
    term: "--simulate",
    text:
      "Ask the node what an EVM transaction would do, and send nothing if it would revert; on a terminal, " +
      "this is the default",
  },
  { term: "--demo", text: "Run the command against an embedded service that cannot affect anything else" },
];

export const safetyPage: TopicPage = async () => [
  helpText(
    "Nothing is ever confirmed for you. Without a terminal, with --no-input, or if CI is set, a command that requires " +
      "confirmation exits with 3, and its hint is the same command with the flag that confirms it.",
  ),
  helpSection("What requires confirmation", CONSENT),
  helpSection("Previewing a change", PREVIEWS),
  helpSection("When the response to a request is lost", await lostRows()),
  helpText(
    "A request that provably never left is retried (--retries). After a failed write, the error shows whether the write was " +
      "applied: no, yes, or unknown.",
  ),
  helpText(
    "A token never appears in a flag, a log, an error, or a dry run, and is sent only to the server that it was stored for. " +
      "Redirects are never followed, certificates are always verified, and only servers that you specify are contacted.",
  ),
];

async function lostRows(): Promise<Row[]> {
  const commands = await allCommands();
  return Object.entries(LOST).flatMap(([kind, text]) => {
    const paths = commands.flatMap(([path, { sends }]) => (sends === kind ? [path] : []));
    const isMany = kind === "read";
    return paths.length === 0 ? [] : { term: kind, text: isMany ? text : `${text}: ${paths.join(", ")}` };
  });
}
