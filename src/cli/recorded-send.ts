import type { Call } from "../command-support/call.ts";
import { RelayctlError } from "../errors.ts";
import { type RecordedWrite, writesOf } from "../journal/journal.ts";
import { commandLine } from "../shell/shell-words.ts";

const TRANSACTION = /^\/api\/v1\/relayers\/([^/?]+)\/transactions\/([^/?]+)$/;

/** Adds to the error for a missing transaction that it was sent, if the journal shows that: only its record is gone then. */
export async function withRecordedSend(call: Call, error: RelayctlError): Promise<RelayctlError> {
  const [, relayer = "", id] = TRANSACTION.exec(error.http?.path ?? "") ?? [];
  if (id === undefined || error.subject?.kind === "other_relayer") return error;
  const session = await call.session();
  try {
    const found = (await (await session.journal())?.find(id)) ?? [];
    if (!writesOf(found).some((write) => write.intent.server === session.origin && hasExisted(write))) return error;
  } catch (failure) {
    if (!(failure instanceof RelayctlError) || failure.failure === "interrupted") throw failure;
    return error;
  }
  return error.with({
    because: ["the journal shows that it was sent, so the service deleted its record; the chain shows its outcome"],
    hint: commandLine(...session.flags, "tx", "wait", decodeURIComponent(relayer), id),
  });
}

/** Returns whether a write's resource was read before it, or is in its response: the ID may be mistyped. */
function hasExisted({ intent, outcome }: RecordedWrite): boolean {
  return intent.before !== undefined || outcome?.after !== undefined || outcome?.applied === "yes";
}
