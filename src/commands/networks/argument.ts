import type { Call } from "../../command-support/call.ts";
import { idProblem } from "../../contract/id.ts";
import type { Network } from "../../contract/resources/network.ts";
import { listed } from "../../session/listed.ts";
import type { Choice } from "../../terminal/prompts.ts";
import type { Argument } from "../command.ts";
import { choiceRows } from "../flags/choice-rows.ts";

export const networkArgument: Argument = {
  name: "<id>",
  description: "Network type and name, e.g. evm:sepolia (`-` reads one line from stdin)",
  noun: "network",
  choices: networkChoices,
  problem: idProblem,
};

export async function networkChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const networks = await listed<Network>(client.networks.list());
  return choiceRows(
    networks.map(({ id, chain_id }) => ({
      value: id,
      about: [typeof chain_id === "number" ? `chain ${chain_id}` : ""],
    })),
  );
}
