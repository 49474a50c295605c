import { readId } from "../command-support/ids.ts";
import { performRemoval } from "../command-support/perform-removal.ts";
import { operations } from "../contract/operations.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { Argument, CommandFile } from "./command.ts";

interface DeleteCommand {
  noun: "relayers" | "notifications" | "signers";
  what: string;
  summary: string;
  description: string;
  examples: readonly string[];
  argument: Argument;
  conflict: string;
  /** Returns lines about the resource for the question. @throws RelayctlError conflict, if the service would refuse */
  readFirst(session: Session, id: string): Promise<readonly string[]>;
}

/** Returns `relayctl <noun> delete <id>`. */
export function deleteCommand(spec: DeleteCommand): CommandFile<object, string> {
  const { noun, what, summary, description, examples, argument, conflict, readFirst } = spec;
  return {
    summary,
    sends: "remove",
    ends: { conflict },
    examples,
    args: [argument],
    description,
    prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
    run: (call, id) =>
      performRemoval(call, {
        request: { operation: operations[`${noun}.delete`], parameters: { [`${what}_id`]: id } },
        what,
        id,
        readFirst: (session) => readFirst(session, id),
        send: (client) => client[noun].delete(id),
        readAgain: ({ flags }) => commandLine(...flags, noun, "get", id),
      }),
  };
}
