import type { Call } from "../command-support/call.ts";
import { idProblem } from "../contract/id.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Network } from "../contract/resources/network.ts";
import type { Notification } from "../contract/resources/notification.ts";
import type { Plugin } from "../contract/resources/plugin.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import type { Signer } from "../contract/resources/signer.ts";
import { stateCell } from "../relayer-state/state.ts";
import { collectById } from "../session/collect.ts";
import type { Choice } from "../terminal/prompts.ts";
import { columnWidth, padToWidth } from "../terminal/width.ts";
import { signingKeyWord } from "../views/notification.ts";
import { CHOOSING } from "./bulk/flags.ts";
import type { Argument } from "./command.ts";

type ReadChoices = (call: Call) => Promise<readonly Choice<string>[]>;

export const notificationChoices = listChoices<Notification>("notifications", (notification) => [
  notification.url,
  signingKeyWord(notification),
]);

export const networkChoices = listChoices<Network>("networks", ({ chain_id }) => [
  typeof chain_id === "number" ? `chain ${chain_id}` : "",
]);

export const signerChoices = listChoices<Signer>("signers", ({ type }) => [type]);

export const notificationArgument = idArgument("notification", "Notification ID", notificationChoices);

export const networkArgument = idArgument("network", "Network type and name, e.g. evm:sepolia", networkChoices);

export const signerArgument = idArgument("signer", "Signer ID", signerChoices);

export const pluginArgument = idArgument(
  "plugin",
  "Plugin ID",
  listChoices<Plugin>("plugins", ({ path }) => [path]),
);

function idArgument(noun: string, meaning: string, choices: ReadChoices): Argument {
  return {
    name: "<id>",
    description: `${meaning} (\`-\` reads one line from stdin)`,
    noun,
    choices,
    problem: idProblem,
  };
}

function listChoices<T extends JsonObject & { id: string }>(
  resource: "networks" | "notifications" | "plugins" | "relayers" | "signers",
  about: (item: T) => ChoiceRow["about"],
): ReadChoices {
  return async (call) => {
    const { client } = await call.session();
    const items = await collectById<T>(client[resource].list());
    return resourceChoices(items.map((item) => ({ value: item.id, about: about(item) })));
  };
}

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

interface ChoiceRow {
  value: string;
  about: readonly (string | null | undefined)[];
}

export function resourceChoices(rows: readonly ChoiceRow[]): Choice<string>[] {
  const width = columnWidth(rows.map(({ value }) => value));
  return rows.map(({ value, about }) => {
    const known = about.filter((text) => text).join(" · ");
    return { value, name: `${padToWidth(value, width)}  ${known}`.trimEnd(), short: value };
  });
}
