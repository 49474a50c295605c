import type { Client } from "../client/client.ts";
import { collectItems } from "../client/pagination/collect.ts";
import { readId } from "../command-support/ids.ts";
import { runWrite } from "../command-support/prepared-write.ts";
import { operations } from "../contract/operations.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { RelayctlError } from "../errors.ts";
import type { Message } from "../message.ts";
import { receiptWords } from "../session/receipt-words.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { Argument, CommandFile, Described } from "./command.ts";

interface DeleteCommand extends Described {
  noun: "relayers" | "notifications" | "signers";
  argument: Argument;
  conflict: string;
  /** Returns lines for the question. @throws RelayctlError conflict, if the service would refuse */
  readFirst(session: Session, id: string): Promise<readonly Message[]>;
}

export function createDeleteCommand(spec: DeleteCommand): CommandFile<object, string> {
  const { noun, argument, conflict, readFirst, ...described } = spec;
  const what = noun.slice(0, -1);
  return {
    ...described,
    sends: "remove",
    ends: { conflict },
    args: [argument],
    prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
    run: (call, id) =>
      runWrite(call, {
        request: { operation: operations[`${noun}.delete`], parameters: { [`${what}_id`]: id } },
        title: `delete ${what} ${id}`,
        act: `deleting a ${what}`,
        id,
        prepare: async (session) => {
          const seen = await readFirst(session, id);
          return {
            preview: () => seen,
            send: async (client) => ({
              ...(await client[noun].delete(id)),
              ...{ data: { id, deleted: true }, unconfirmed: [] },
            }),
            receipt: () => ({ applied: receiptWords.deleted(session.name, `${what} ${id}`) }),
            readAgain: commandLine(...session.flags, noun, "get", id),
          };
        },
      }),
  };
}

interface UsedResource {
  field: "notification_id" | "signer_id";
  id: string;
  /** How relayers use it: `report to notification ops-hook`. */
  use: string;
  /** A line for the question: no relayer does. */
  unused: string;
  hint(relayer: string): string;
}

/** The service would also refuse, but list names, not IDs (facts 6 and 8.1). @throws conflict, with the IDs */
export async function refuseDeleteWhileUsed(
  client: Client,
  { field, id, use, unused, hint }: UsedResource,
): Promise<readonly string[]> {
  const relayers = await collectItems<Relayer>(client.relayers.list(), (relayer) => relayer[field] === id);
  const users = relayers.map((relayer) => relayer.id);
  if (users.length === 0) return [unused];
  throw new RelayctlError("conflict", `relayers ${use}: ${users.join(", ")}`, {
    because: ["nothing was sent: the service does not delete what is in use"],
    hint: hint(users[0] ?? ""),
  });
}
