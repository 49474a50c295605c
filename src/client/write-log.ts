import { RelayctlError } from "../errors.ts";
import type { KnownTransactions } from "./earlier-transaction.ts";
import { type ApiRequest, refuseUnsendableRequest, type WriteFacts } from "./request.ts";

export interface WriteLog {
  /**
   * Called before a write may leave; it waits for this.
   * @param facts the resource before the write, and whether its ID was generated for this request
   * @param listed reads the IDs and hashes of the relayer's newest transactions, to compare a payment with that can't be
   *   recorded
   * @returns undefined if no journal is kept
   * @throws RelayctlError io or usage if nothing may be sent without a record
   */
  begin(
    request: ApiRequest,
    facts: WriteFacts,
    listed?: () => Promise<ReadonlySet<unknown>>,
  ): Promise<BegunWrite | undefined> | undefined;
}

interface BegunWrite {
  /** Records how it ended. Never rejects, since the write was sent already. */
  end(end: WriteEnd): Promise<void>;
  known: KnownTransactions;
}

export type WriteEnd = { data: unknown } | { error: unknown };

/** @param sent its `error` is how the write ended although there was a response, as a plugin's own failure */
export async function logWrite<T extends { data: unknown; error?: RelayctlError | undefined }>(
  log: WriteLog | undefined,
  request: ApiRequest,
  { listed, ...facts }: WriteFacts & { listed?: () => Promise<ReadonlySet<unknown>> },
  sent: (known?: KnownTransactions) => Promise<T>,
): Promise<T> {
  refuseUnsendableRequest(request);
  if (!log && facts.payment) throw new RelayctlError("internal", "a payment would not be recorded");
  if (!log || request.operation.kind === "read") return await sent();
  const beginning = log.begin(request, facts, listed);
  const begun = beginning && (await beginning);
  try {
    facts.beforeSending?.();
    const result = await sent(begun?.known);
    if (begun) await begun.end(result.error ? { error: result.error } : { data: result.data });
    return result;
  } catch (error) {
    await begun?.end({ error });
    throw error;
  }
}
