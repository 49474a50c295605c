import type { Network } from "../../contract/resources/network.ts";
import type { BlockLine, ResourceView } from "../../terminal/view.ts";
import { cell, column, lines } from "../cells.ts";
import { rpcUrlCells } from "../flags/rpc-url-cells.ts";

const FIELDS = [
  "id",
  "name",
  "network_type",
  "is_testnet",
  "chain_id",
  "symbol",
  "required_confirmations",
  "average_blocktime_ms",
  "rpc_urls",
  "explorer_urls",
  "features",
  "tags",
  "passphrase",
  "horizon_url",
];

/** The view of networks. The service sends their RPC URLs unmasked; they are masked wherever they are printed. */
export const networkView: ResourceView<Network> = {
  one: "network",
  many: "networks",
  table: [
    column("id", "id"),
    { header: "chain id", cell: ({ chain_id }) => cell(chain_id), align: "right" },
    column("symbol", "symbol"),
    { header: "testnet", cell: ({ is_testnet }) => cell(is_testnet) },
    { header: "rpc urls", cell: ({ rpc_urls }) => cell(Array.isArray(rpc_urls) ? rpc_urls.length : 0), align: "right" },
  ],
  flat: ["id", "name", "network_type", "chain_id", "symbol", "is_testnet", "rpc_urls"],
  fields: FIELDS,
  block,
};

function block(network: Network): BlockLine[] {
  return FIELDS.flatMap((field) => {
    const label = field.replaceAll("_", " ");
    if (field === "rpc_urls") return lines(label, rpcUrlCells(network.rpc_urls, "none"));
    const value = network[field];
    if (value === undefined || value === null) return [];
    return lines(label, Array.isArray(value) ? (value.length > 0 ? value.map(cell) : [cell(null)]) : [cell(value)]);
  });
}
