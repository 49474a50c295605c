import type { OperationKind } from "../../../contract/operation.ts";
import { allCommands } from "../../all-commands.ts";
import { type Row, sectionOf, textOf } from "../block.ts";
import type { TopicPage } from "../topic.ts";

/** Consent is judged by the request alone (design 5). */
const CONSENT: readonly Row[] = [
  {
    term: "not asked",
    text: "reads, signatures that are not sent anywhere, creates, and changes of one thing that is named in full, except a gas_price_cap that falls or rises a thousandfold",
  },
  {
    term: "[y/N], --yes",
    text:
      "replacing or cancelling a transaction, every delete, removing a signing key, a gas_price_cap that falls or rises " +
      "a thousandfold, more than one target, a write that relayctl does not know",
  },
  {
    term: "the id, --confirm ID",
    text:
      "resetting all policies; unsetting or emptying a list that limits a relayer (whitelist_receivers, allowed_programs, " +
      "allowed_accounts, allowed_tokens, disallowed_accounts); a change that relayctl does not understand",
  },
  {
    term: "its name, --confirm NAME",
    text: "every write in a protected context, but for pausing one relayer: relayctl context set NAME --protected",
  },
];

/** What is done when an answer is lost (design 7). */
const LOST: Record<OperationKind, string> = {
  read: "asked again, --retries times",
  patch: "read back, and applied when the service now holds what was asked, else unknown (11)",
  create: "read back by its id, which relayctl makes when none is given",
  remove: "read back, and applied when it is gone, else unknown (11)",
  once: "never sent again, whatever --retries says, but unknown (11)",
};

const LOOKING: readonly Row[] = [
  {
    term: "--dry-run",
    text: "print the request and send nothing, not even a read; with --diff, or where --where or --all chooses, it reads",
  },
  { term: "--curl", text: "print the equal curl command; its token is a variable of the shell" },
  { term: "--diff", text: "read first, and tell old and new values and the command that undoes it" },
  { term: "--demo", text: "try it on a service inside this process, which can break nothing" },
];

/** `relayctl help safety` */
export const safetyPage: TopicPage = async () => [
  textOf(
    "Nothing is ever answered for you. Without a terminal, with --no-input, or where CI is set, a command that needs " +
      "consent ends with 3, and its hint is the same command with the flag that gives it.",
  ),
  sectionOf("What is asked for", CONSENT),
  sectionOf("Looking before", LOOKING),
  sectionOf("When the answer to a request is lost", await lostRows()),
  textOf(
    "A request that certainly was not sent is sent again, whatever it is. After a failed write the error says whether " +
      "it was applied: no, yes or unknown.",
  ),
  textOf(
    "A token is never in a flag, a log, an error or a dry run, and goes to no other server than the one it was stored " +
      "for. Redirects are never followed, certificates are always verified, and nothing is sent to anybody else.",
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
