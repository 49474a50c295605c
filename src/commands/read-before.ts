import type { Answer } from "../client/answer.ts";
import type { Client } from "../client/client.ts";
import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Call } from "../flow/call.ts";
import { personPresent } from "../flow/person.ts";

/**
 * The thing as it is before a write, for the receipt: read where a person is present and with `--diff`, never for a dry
 * run. A service without such a route, and a thing that is not there, give nothing: the write itself will say.
 */
export async function readBefore<T extends JsonObject>(
  call: Call<{ diff?: true }>,
  read: (client: Client) => Promise<Answer<T>>,
): Promise<Answer<T> | undefined> {
  if (call.common.dryRun || call.common.curl) return undefined;
  if (!call.flags.diff && !personPresent(call.app, call.common)) return undefined;
  const { client } = await call.session();
  try {
    return await read(client);
  } catch (error) {
    if (error instanceof RelayctlError && ["not_found", "rejected"].includes(error.failure)) return undefined;
    throw error;
  }
}
