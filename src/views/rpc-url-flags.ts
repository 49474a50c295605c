import { isJsonObject, type JsonObject, type JsonValue, jsonNamesSetAside, writeJson } from "../contract/json.ts";
import { Problems } from "../contract/problems.ts";
import { type Field, orderedFields } from "../contract/resources/field.ts";
import { type Network, networkFields } from "../contract/resources/network.ts";
import { isMaskedRpcUrl, maskRpcUrl } from "../contract/rpc-url.ts";
import { type Cell, type ResourceView, toCell, viewColumns, viewLines } from "../terminal/view.ts";

const COLUMNS = viewColumns<Network>(networkFields, {
  chain_id: { header: "chain id", cell: ({ chain_id }) => toCell(chain_id), align: "right" },
  is_testnet: { header: "testnet", cell: ({ is_testnet }) => toCell(is_testnet) },
  rpc_urls: {
    header: "rpc urls",
    cell: ({ rpc_urls }) => toCell(Array.isArray(rpc_urls) ? rpc_urls.length : 0),
    align: "right",
  },
});

/** Networks. The service sends their RPC URLs unmasked; all output masks them. */
export const networkView: ResourceView<Network> = {
  one: "network",
  many: "networks",
  ...COLUMNS,
  flat: viewColumns(orderedFields(networkFields, ["id", "name", "network_type", "chain_id", "symbol"] as const)).flat,
  block: (network) =>
    Object.entries<Field>(networkFields).flatMap(([field, { label = field }]) => {
      if (jsonNamesSetAside(network).includes(field)) return [];
      if (field === "rpc_urls") return viewLines(label, rpcUrlCells(network.rpc_urls, "none"));
      const value = network[field];
      if (value === undefined || value === null) return [];
      return viewLines(
        label,
        Array.isArray(value) ? (value.length > 0 ? value.map(toCell) : [toCell(null)]) : [toCell(value)],
      );
    }),
};

/** Parses `--rpc-url URL[,weight=N]`, one entry of the list. */
export function parseRpcUrlFlag(problems: Problems, text: string, mostWeight = 100): JsonObject {
  const [, url = text, weight] = /^(.*?)(?:,weight=(.*))?$/s.exec(text) ?? [];
  const other = /,([a-z_]+)=[^,/]*$/i.exec(url)?.[1];
  if (other) problems.add("--rpc-url", "only ,weight=N can follow the URL", `,${other}=`);
  if (weight === undefined) return { url };
  if (/^[0-9]+$/.test(weight)) return { url, weight: BigInt(weight) };
  problems.add("--rpc-url", `its weight must be a whole number from 0 to ${mostWeight}`, weight);
  return { url };
}

/** Returns the flag of a path: `custom_rpc_urls.1.weight` belongs to the second `--rpc-url`. */
export function rpcUrlFlagSource(path: string): string | undefined {
  const [, index, field] = /^(?:custom_)?rpc_urls\.(\d+)\.(\w+)$/.exec(path) ?? [];
  return index && `--rpc-url (${Number(index) + 1}, ${field})`;
}

/** Returns `https://rpc.example.org,weight=7`, as for `--rpc-url`. */
export function typedRpcUrlFlag(url: string, weight: JsonValue | undefined): string {
  return weight === undefined ? url : `${url},weight=${writeJson(weight)}`;
}

/** Returns the flags that set a list to these entries, unless one is masked, may contain a key, or can't be typed. */
export function rpcUrlFlags(entries: readonly JsonValue[]): string[] | undefined {
  const typed = entries.map(typedEntry);
  return typed.every((text) => text !== undefined) ? typed.flatMap((text) => ["--rpc-url", text]) : undefined;
}

function typedEntry(entry: JsonValue): string | undefined {
  if (!isJsonObject(entry) || typeof entry.url !== "string") return undefined;
  if (isMaskedRpcUrl(entry.url) || maskRpcUrl(entry.url) !== entry.url) return undefined;
  const text = typedRpcUrlFlag(entry.url, entry.weight);
  const problems = new Problems();
  const { url, weight } = parseRpcUrlFlag(problems, text);
  const isSame = url === entry.url && writeJson(weight ?? null) === writeJson(entry.weight ?? null);
  const known = entry.weight === undefined ? 1 : 2;
  return problems.found.length === 0 && isSame && Object.keys(entry).length === known ? text : undefined;
}

export function rpcUrlCells(urls: JsonValue | undefined, none = "the network's own"): Cell[] {
  if (!Array.isArray(urls) || urls.length === 0) return [{ text: none, tone: "faint" }];
  return urls.map((entry) => {
    if (!isJsonObject(entry)) return toCell(entry);
    return {
      text:
        entry.weight === undefined
          ? toCell(entry.url).text
          : `${toCell(entry.url).text}  weight ${toCell(entry.weight).text}`,
    };
  });
}
