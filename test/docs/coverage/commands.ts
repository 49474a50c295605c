import { completionWords } from "../../../src/cli/completion-words.ts";
import type { CommandWords } from "../../../src/completion/words.ts";
import type { OperationId } from "../../../src/contract/operations.ts";

/** Operations that another command sends than the command of the same name, or that need a flag. */
const ELSEWHERE: Partial<Record<OperationId, string>> = {
  "tx.get-by-nonce": "tx get --nonce",
  "plugins.call-route": "plugins call <id> [route]",
  "plugins.call-get": "plugins call --get",
  "plugins.call-get-route": "plugins call <id> [route] --get",
  "server.metric": "server metrics [name]",
  "server.metrics-scrape": "server metrics --all",
};

/** Operations that no command sends, with the reason. */
const NONE: Partial<Record<OperationId, string>> = {
  "signers.update":
    "none: the service rejects every change to a signer (facts 8.1); use `signers delete`, then `signers create`",
  "tx.delete-pending":
    "none: the service responds that transactions are queued for cancellation, but cancels nothing (facts 5.6); `tx cancel-pending` cancels them one by one",
};

/** Returns the command that sends an operation, as typed, or the reason why there is none; empty if there is neither. */
export async function commandCell(id: OperationId): Promise<string> {
  const reason = NONE[id];
  if (reason !== undefined) return reason;
  const typed = ELSEWHERE[id] ?? id.replace(".", " ");
  return (await exists(typed)) ? `\`${typed}\`` : "";
}

const WORDS = await completionWords();

async function exists(typed: string): Promise<boolean> {
  const [noun, verb, ...rest] = typed.split(" ");
  const command = named(named(WORDS.program, noun), verb);
  const flags = rest.filter((word) => word.startsWith("--"));
  return command !== undefined && flags.every((flag) => command.flags.some(({ names }) => names.includes(flag)));
}

function named(command: CommandWords | undefined, name: string | undefined): CommandWords | undefined {
  return command?.commands.find((inner) => inner.name === name);
}
