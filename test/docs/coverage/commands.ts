import { completionWords } from "../../../src/cli/completion-words.ts";
import type { CommandWords } from "../../../src/completion/words.ts";
import type { OperationId } from "../../../src/contract/operations.ts";

/** Operations that the command of the same name does not send, or not alone. */
const ELSEWHERE: Partial<Record<OperationId, string>> = {
  "tx.get-by-nonce": "tx get --nonce",
  "plugins.call-route": "plugins call <id> [route]",
  "plugins.call-get": "plugins call --get",
  "plugins.call-get-route": "plugins call <id> [route] --get",
  "server.metric": "server metrics [name]",
  "server.metrics-scrape": "server metrics --all",
};

/** Operations that no command sends, and why. */
const NONE: Partial<Record<OperationId, string>> = {
  "signers.update": "none: the service refuses every change of a signer (8.1); `signers delete`, then `signers create`",
  "tx.delete-pending":
    "none: it answers that transactions are queued for cancellation, and cancels nothing (5.6); `tx cancel-pending` cancels them one by one",
};

/** The command that sends an operation, as it is typed; empty where there is none and no reason for it. */
export async function commandCell(id: OperationId): Promise<string> {
  const reason = NONE[id];
  if (reason !== undefined) return reason;
  const typed = ELSEWHERE[id] ?? id.replace(".", " ");
  return (await exists(typed)) ? `\`${typed}\`` : "";
}

const WORDS = await completionWords();

/** Whether noun, verb, and every flag of what is typed are in the program. */
async function exists(typed: string): Promise<boolean> {
  const [noun, verb, ...rest] = typed.split(" ");
  const command = named(named(WORDS.program, noun), verb);
  const flags = rest.filter((word) => word.startsWith("--"));
  return command !== undefined && flags.every((flag) => command.flags.some(({ names }) => names.includes(flag)));
}

function named(command: CommandWords | undefined, name: string | undefined): CommandWords | undefined {
  return command?.commands.find((inner) => inner.name === name);
}
