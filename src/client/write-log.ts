import type { JsonObject } from "../contract/json.ts";
import type { ApiRequest } from "./request.ts";

/** Keeps a lasting record of each write. */
export interface WriteLog {
  /**
   * Called before a write may leave; it waits for this.
   * @param before the resource as it was read before
   * @returns what to call with the outcome. It never rejects, since the write was sent by then
   * @throws RelayctlError io or usage if nothing may be sent without a record
   */
  begin(request: ApiRequest, before: JsonObject | undefined): Promise<(end: WriteEnd) => Promise<void>>;
}

/** How a write ended: with the data of a response, or with an error. */
export type WriteEnd = { data: unknown } | { error: unknown };

/** Sends a write between the two calls of its log. Anything that is not a write is just sent. */
export async function logged<T extends { data: unknown }>(
  log: WriteLog | undefined,
  request: ApiRequest,
  before: JsonObject | undefined,
  sent: () => Promise<T>,
): Promise<T> {
  if (!log || request.operation.kind === "read") return await sent();
  const end = await log.begin(request, before);
  try {
    const result = await sent();
    await end({ data: result.data });
    return result;
  } catch (error) {
    await end({ error });
    throw error;
  }
}
