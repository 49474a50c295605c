import type { Call } from "../../command-support/call.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { stateCell } from "../../relayer-state/state.ts";
import { listed } from "../../session/listed.ts";
import type { Choice } from "../../terminal/prompts.ts";
import { choiceRows } from "../flags/choice-rows.ts";

/** Returns every relayer, with its name, network, and state. */
export async function relayerChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const relayers = await listed<Relayer>(client.relayers.list());
  return choiceRows(
    relayers.map((relayer) => ({ value: relayer.id, about: [relayer.name, relayer.network, stateCell(relayer).text] })),
  );
}
