import { type Field, ordered } from "../contract/resources/field.ts";
import { type Network, networkFields } from "../contract/resources/network.ts";
import { cell, columnsOf, lines } from "../terminal/cells.ts";
import type { ResourceView } from "../terminal/view.ts";
import { rpcUrlCells } from "./rpc-urls.ts";

const COLUMNS = columnsOf<Network>(networkFields, {
  chain_id: { header: "chain id", cell: ({ chain_id }) => cell(chain_id), align: "right" },
  is_testnet: { header: "testnet", cell: ({ is_testnet }) => cell(is_testnet) },
  rpc_urls: {
    header: "rpc urls",
    cell: ({ rpc_urls }) => cell(Array.isArray(rpc_urls) ? rpc_urls.length : 0),
    align: "right",
  },
});

/** The view of networks. The service sends their RPC URLs unmasked; they are masked wherever they are printed. */
export const networkView: ResourceView<Network> = {
  one: "network",
  many: "networks",
  ...COLUMNS,
  flat: columnsOf(ordered(networkFields, ["id", "name", "network_type", "chain_id", "symbol"] as const)).flat,
  block: (network) =>
    Object.entries<Field>(networkFields).flatMap(([field, { label = field }]) => {
      if (field === "rpc_urls") return lines(label, rpcUrlCells(network.rpc_urls, "none"));
      const value = network[field];
      if (value === undefined || value === null) return [];
      return lines(label, Array.isArray(value) ? (value.length > 0 ? value.map(cell) : [cell(null)]) : [cell(value)]);
    }),
};
