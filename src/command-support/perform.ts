import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Session } from "../session/session.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { type PlannedWrite, type PreparedWrite, performPlanned } from "./prepared-write.ts";
import type { Receipt } from "./receipt.ts";
import type { DiffFlag } from "./shown.ts";

export interface Write<T extends JsonObject = JsonObject> extends Omit<PlannedWrite<T>, "prepare" | "readsFirst"> {
  /** Reads the resource as it is now; nothing if that is not wanted or not possible. */
  before?(client: Client): Promise<ApiResult<T> | undefined>;
  /** Lines under the title, before sending: old next to new. */
  preview?(before: T | undefined): readonly string[] | Promise<readonly string[]>;
  /** Other effects of the write that need consent even if the request itself does not. */
  risks?(before: T | undefined): readonly string[];
  /** Says that the resource is in the requested state; then nothing is sent. */
  unchangedNote?(before: T): string | undefined;
  send(client: Client, before: T | undefined): Promise<ApiResult<T>>;
  receipt(after: T, before: T | undefined, session: Session): Receipt | Promise<Receipt>;
  /** Reads what the applied write led to, for lines after the result (see `Ending.outlook`). */
  outlook?(after: T, session: Session): Promise<readonly string[]>;
  /** The view of the resource after the write, if it depends on the result. Sends no request. */
  drawn?(after: T): Promise<ResourceView<T>>;
  readAgain(session: Session): string;
}

export async function perform<T extends JsonObject>(call: Call<DiffFlag>, write: Write<T>): Promise<View> {
  const prepare = (session: Session) => prepared(write, session);
  return await performPlanned(call, { ...write, prepare });
}

async function prepared<T extends JsonObject>(write: Write<T>, session: Session): Promise<PreparedWrite<T>> {
  const { request, drawn } = write;
  const before = await write.before?.(session.client);
  const data = before?.data;
  return {
    request,
    before,
    already: data && write.unchangedNote?.(data),
    preview: () => write.preview?.(data) ?? [],
    risks: write.risks?.(data) ?? [],
    send: (client) => write.send(client, data),
    receipt: (after) => write.receipt(after, data, session),
    outlook: write.outlook && (async (after) => (await write.outlook?.(after, session)) ?? []),
    drawn: drawn && ((after) => drawn(after)),
    readAgain: write.readAgain(session),
  };
}
