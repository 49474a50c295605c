import type { ApiResult } from "../../client/request.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError } from "../../errors.ts";
import type { Call } from "../command.ts";

/** Reads a relayer to compare it with a change, or prompts instead. Fails for an unknown relayer or a refused token. */
export async function relayerIfReadable(call: Call, id: string): Promise<ApiResult<Relayer> | undefined> {
  const { client } = await call.session();
  try {
    return await client.relayers.get(id);
  } catch (error) {
    const isFinal = !(error instanceof RelayctlError) || FINAL.includes(error.failure);
    if (isFinal || (error.failure === "not_found" && error.message.includes(id))) throw error;
    await call.say({ note: `${id} could not be read: ${error.message}` });
    return undefined;
  }
}

const FINAL = ["auth", "interrupted", "terminated", "hung_up", "usage"];
