import type { Call } from "../command-support/call.ts";
import { idProblem } from "../contract/id.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { stateCell } from "../relayer-state/state.ts";
import { listed } from "../session/listed.ts";
import type { Choice } from "../terminal/prompts.ts";
import { CHOOSING } from "./bulk/flags.ts";
import type { Argument } from "./command.ts";
import { choiceRows } from "./flags/choice-rows.ts";

export const relayerArgument: Argument = {
  name: "<id>",
  description: "Relayer ID (`-` reads one line from stdin)",
  noun: "relayer",
  choices: relayerChoices,
  problem: idProblem,
};

export const relayersArgument: Argument = {
  ...relayerArgument,
  name: "<ids...>",
  description: "Relayer IDs (`-` reads IDs from stdin, one per line)",
  unless: CHOOSING,
};

async function relayerChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const relayers = await listed<Relayer>(client.relayers.list());
  return choiceRows(
    relayers.map((relayer) => ({ value: relayer.id, about: [relayer.name, relayer.network, stateCell(relayer).text] })),
  );
}
