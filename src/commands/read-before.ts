import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { Call } from "../command-support/call.ts";
import { personPresent } from "../command-support/prompting/person.ts";
import type { DiffFlag } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";

/**
 * The thing as it is before a write: read where a person is present and with `--diff`. A service without such a route
 * gives nothing, and that is said where `--diff` asked; a thing that is not there is an error at once.
 */
export async function readBefore<T extends JsonObject>(
  call: Call<DiffFlag>,
  id: string,
  read: (client: Client) => Promise<ApiResult<T>>,
): Promise<ApiResult<T> | undefined> {
  if (!call.flags.diff && !personPresent(call.app, call.common)) return undefined;
  const { client } = await call.session();
  try {
    return await read(client);
  } catch (error) {
    if (!isMissingRoute(error, [id])) throw error;
    if (call.flags.diff) await call.say(`note: this service cannot return ${id} alone; its current values are unknown`);
    return undefined;
  }
}

/** A 404 or 405 that names none of the ids may only say that there is no such route. */
export function isMissingRoute(error: unknown, ids: readonly string[]): boolean {
  if (!(error instanceof RelayctlError) || ![404, 405].includes(error.http?.status ?? 0)) return false;
  return !ids.some((id) => error.message.includes(id));
}
