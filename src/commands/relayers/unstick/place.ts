import { symbolFor } from "../../../coins/symbol-for.ts";
import { currencyOf } from "../../../contract/currency.ts";
import type { StepPlace } from "../../../relayer-state/step-words.ts";
import type { Call } from "../../command.ts";
import type { Queue } from "./read-diagnosis.ts";

/** Returns what the words about a queue depend on besides the diagnosis. */
export async function placeOf(call: Call, { relayerId, chain: { relayer } }: Queue): Promise<StepPlace> {
  const { flags } = await call.session();
  const address = typeof relayer?.address === "string" ? relayer.address : undefined;
  const coin = currencyOf("evm", relayer && (await symbolFor(call, relayer)));
  return { relayerId, address, flags, coin };
}
