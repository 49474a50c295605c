import type { Relayer } from "../contract/resources/relayer.ts";
import { stateCell } from "../relayer-state/state.ts";
import { CHOOSING } from "./bulk/flags.ts";
import type { Argument } from "./command.ts";
import { idArgument, listChoices } from "./resource-arguments.ts";

export const relayerArgument = idArgument(
  "relayer",
  "Relayer ID",
  listChoices<Relayer>("relayers", (relayer) => [relayer.name, relayer.network, stateCell(relayer).text]),
);

export const relayersArgument: Argument = {
  ...relayerArgument,
  name: "<ids...>",
  description: "Relayer IDs (`-` reads IDs from stdin, one per line)",
  unless: CHOOSING,
};

export const anyRelayersArgument: Argument = {
  name: "[ids...]",
  description: "Relayer IDs (`-` reads IDs from stdin, one per line; default: all)",
  noun: "relayer",
};
