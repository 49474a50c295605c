import type { Client } from "../client/client.ts";
import type { ApiResult } from "../client/request.ts";
import { type Receipt, runWrite } from "../command-support/prepared-write.ts";
import type { TextQuestion } from "../command-support/prompting/prompts.ts";
import { isDryRun } from "../command-support/shown.ts";
import { newIdProblem } from "../contract/id.ts";
import type { JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import { ifFound, rescue, unsentError } from "../errors.ts";
import type { Message } from "../message.ts";
import { receiptUndoLine, receiptWords } from "../session/receipt-words.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import type { Call } from "./command.ts";

type Creatable = "notification" | "relayer" | "signer";

export interface Creation<T extends JsonObject> {
  noun: Creatable;
  resource: ResourceView<T>;
  body: JsonObject;
  create(client: Client): Promise<ApiResult<T>>;
  drawn?(created: T): Promise<ResourceView<T>>;
  outlook?(created: T, session: Session): Promise<readonly Message[]>;
  more?(created: T, session: Session): Omit<Receipt, "applied" | "next">;
}

/** Creates a resource. The client generates a missing ID, even in a dry run. */
export async function sendCreation<T extends JsonObject & { id: string }>(
  call: Call,
  { noun, resource, body, create, drawn, more, outlook }: Creation<T>,
): Promise<View> {
  const id = typeof body.id === "string" ? body.id : undefined;
  return await runWrite<T>(call, {
    request: { operation: operations[`${noun}s.create`], body: { ...body, id: id ?? call.app.random.uuid() } },
    title: `create ${noun} ${id ?? ""}`.trim(),
    act: `creating a ${noun}`,
    id: id ?? "",
    resource,
    prepare: async (session) => {
      if (id !== undefined) await refuseExistingId(call, noun, id);
      return {
        send: create,
        drawn,
        ...(outlook && { outlook: (created) => outlook(created, session) }),
        receipt: (after) => ({
          applied: receiptWords.created(session.name, after.id),
          ...more?.(after, session),
          next: receiptUndoLine({ flags: [] }, session, `${noun}s`, "delete", after.id),
        }),
        readAgain: commandLine(...session.flags, `${noun}s`, ...(id ? ["get", id] : ["list"])),
      };
    },
  });
}

/** The real service responds 500 to an ID in use (facts 1.9). @throws RelayctlError conflict */
async function refuseExistingId(call: Call, noun: Creatable, id: string): Promise<void> {
  const { client, flags } = await call.session();
  if (!(await ifFound<unknown>(client[`${noun}s`].get(id)))) return;
  const hint = commandLine(...flags, `${noun}s`, "get", id);
  throw unsentError("conflict", `a ${noun} with the id ${id} already exists`, { hint });
}

async function existingIdProblem(call: Call, noun: Creatable, id: string): Promise<string | undefined> {
  if (isDryRun(call)) return undefined;
  return await rescue(
    refuseExistingId(call, noun, id).then(() => undefined),
    (error) => {
      if (error.failure !== "conflict") throw error;
      return error.message;
    },
  );
}

export function creationIdQuestion(call: Call, noun: Creatable, example: string): TextQuestion {
  return {
    question: "ID (Enter generates one):",
    optional: true,
    example,
    problem: newIdProblem,
    conflict: (id) => existingIdProblem(call, noun, id),
  };
}
