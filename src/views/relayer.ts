import { grouped } from "../contract/decimal.ts";
import { NETWORK_KINDS } from "../contract/network-kind.ts";
import { policyFieldPaths, policyFields } from "../contract/policy.ts";
import { type Relayer, relayerFields } from "../contract/resources/relayer.ts";
import { relayerState, relayerStateCell, relayerStateSign, stateDisabledReasons } from "../relayer-state/state.ts";
import { shellCommandLine } from "../shell/shell-words.ts";
import {
  type BlockLine,
  type Cell,
  cell,
  column,
  columnsOf,
  lines,
  linesOf,
  type ResourceView,
} from "../terminal/view.ts";
import { policyLines } from "./policy-field.ts";
import { rpcUrlCells } from "./rpc-urls.ts";

const COLUMNS = columnsOf<Relayer>(relayerFields, {
  network: {
    ...column<Relayer>("network", "network"),
    apart: ({ network_type: kind }) => (kind ? cell(kind).text : ""),
    reads: ["network", "network_type"],
    worth: 3,
  },
  name: { ...column<Relayer>("name", "name"), worth: 2 },
  notification_id: { ...column<Relayer>("notification", "notification_id"), worth: 1 },
  paused: {
    header: "state",
    cell: relayerStateCell,
    reads: ["paused", "system_disabled", "disabled_reason"],
    worth: "always",
  },
});

const DERIVED: ResourceView<Relayer>["derived"] & object = {
  state: { value: relayerState, reads: ["paused", "system_disabled"] },
};

export const relayerView: ResourceView<Relayer> = {
  one: "relayer",
  many: "relayers",
  ...COLUMNS,
  fields: [
    ...COLUMNS.fields,
    ...new Set(NETWORK_KINDS.flatMap((kind) => policyFieldPaths(policyFields[kind]).map((path) => `policies.${path}`))),
    ...Object.keys(DERIVED),
  ],
  derived: DERIVED,
  block: (relayer) => block(relayer, undefined),
  attention,
  sign: relayerStateSign,
};

export function relayerViewIn(symbol: string | undefined): ResourceView<Relayer> {
  return { ...relayerView, block: (relayer) => block(relayer, symbol) };
}

function block(relayer: Relayer, symbol: string | undefined): BlockLine[] {
  return linesOf(relayerFields, relayer, {
    network: () => lines("network", [networkCell(relayer)]),
    paused: () => lines("state", [relayerStateCell(relayer), ...moreReasons(relayer)]),
    custom_rpc_urls: () => lines("rpc urls", rpcUrlCells(relayer.custom_rpc_urls)),
    policies: () => policyLines(relayer, symbol),
  });
}

function attention(relayers: readonly Relayer[], flags: readonly string[]): string | undefined {
  const count = relayers.filter(({ paused, system_disabled }) => paused || system_disabled).length;
  if (count === 0) return undefined;
  return `${grouped(count)} ${count === 1 ? "needs" : "need"} attention: ${shellCommandLine(...flags, "relayers", "status")}`;
}

export function networkCell({ network, network_type }: Relayer): Cell {
  return network_type ? { text: `${cell(network).text} (${cell(network_type).text})` } : cell(network);
}

function moreReasons(relayer: Relayer): Cell[] {
  const reasons = stateDisabledReasons(relayer.disabled_reason ?? null);
  return reasons.length > 1 ? reasons.map((text) => ({ text, tone: "bad" })) : [];
}
