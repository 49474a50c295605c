import { groupDigits } from "../contract/decimal.ts";
import { NETWORK_KINDS } from "../contract/network-kind.ts";
import { policyFieldPaths, policyFields } from "../contract/policy.ts";
import { type Relayer, relayerFields } from "../contract/resources/relayer.ts";
import { relayerState, relayerStateSign, stateCell, stateDisabledReasons } from "../relayer-state/state.ts";
import { commandLine } from "../shell/shell-words.ts";
import {
  type BlockLine,
  type Cell,
  type ResourceView,
  toCell,
  toColumn,
  viewColumns,
  viewFieldLines,
  viewLines,
} from "../terminal/view.ts";
import { policyFieldLines } from "./policy-field.ts";
import { rpcUrlCells } from "./rpc-url-flags.ts";

const COLUMNS = viewColumns<Relayer>(relayerFields, {
  network: {
    ...toColumn<Relayer>("network", "network"),
    apart: ({ network_type: kind }) => (kind ? toCell(kind).text : ""),
    reads: ["network", "network_type"],
    worth: 3,
  },
  name: { ...toColumn<Relayer>("name", "name"), worth: 2 },
  notification_id: { ...toColumn<Relayer>("notification", "notification_id"), worth: 1 },
  paused: {
    header: "state",
    cell: stateCell,
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
  block: (relayer) => relayerBlock(relayer, undefined),
  attention: attentionNote,
  sign: relayerStateSign,
};

export function relayerViewIn(symbol: string | undefined): ResourceView<Relayer> {
  return { ...relayerView, block: (relayer) => relayerBlock(relayer, symbol) };
}

function relayerBlock(relayer: Relayer, symbol: string | undefined): BlockLine[] {
  return viewFieldLines(relayerFields, relayer, {
    network: () => viewLines("network", [relayerNetworkCell(relayer)]),
    paused: () => viewLines("state", [stateCell(relayer), ...moreReasons(relayer)]),
    custom_rpc_urls: () => viewLines("rpc urls", rpcUrlCells(relayer.custom_rpc_urls)),
    policies: () => policyFieldLines(relayer, symbol),
  });
}

function attentionNote(relayers: readonly Relayer[], flags: readonly string[]): string | undefined {
  const count = relayers.filter(({ paused, system_disabled }) => paused || system_disabled).length;
  if (count === 0) return undefined;
  return `${groupDigits(count)} ${count === 1 ? "needs" : "need"} attention: ${commandLine(...flags, "relayers", "status")}`;
}

export function relayerNetworkCell({ network, network_type }: Relayer): Cell {
  return network_type ? { text: `${toCell(network).text} (${toCell(network_type).text})` } : toCell(network);
}

function moreReasons(relayer: Relayer): Cell[] {
  const reasons = stateDisabledReasons(relayer.disabled_reason ?? null);
  return reasons.length > 1 ? reasons.map((text) => ({ text, tone: "bad" })) : [];
}
