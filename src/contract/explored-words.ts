import { isNumber } from "./decimal.ts";
import type { ExplorerPage } from "./explorer-url.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { networkId } from "./resources/network.ts";

/** A text of a response that may be a hash, an address, or a block, and where: the network's ID, or the relayer. */
export interface ExploredWord {
  key: string;
  text: string;
  place: string;
}

const CANDIDATE = /\b[0-9A-Za-z]{32,88}\b/g;
const BLOCK = /^block(?:_number)?$/;

/** Yields the words of a value that an explorer may know, in objects with their relayer or network. */
export function* exploredWords(value: JsonValue, context = "", place = "", key = ""): Generator<ExploredWord> {
  if (Array.isArray(value)) for (const item of value) yield* exploredWords(item, context, place, key);
  else if (isJsonObject(value)) {
    const own = context === "" && typeof value.context === "string" ? value.context : context;
    const here = findPlace(value, own) ?? place;
    for (const [name, member] of Object.entries(value)) yield* exploredWords(member ?? null, own, here, name);
  } else if (place !== "") for (const text of candidatesIn(key, value)) yield { key, text, place };
}

function candidatesIn(key: string, value: JsonValue): readonly string[] {
  if (BLOCK.test(key)) return isNumber(value) ? [String(value)] : [];
  return typeof value === "string" ? (value.match(CANDIDATE) ?? []) : [];
}

function findPlace(value: JsonObject, context: string): string | undefined {
  const { network, network_type: kind, relayer_id: id, relayer = id } = value;
  if (typeof relayer === "string") return `relayer\t${relayer}\t${context}`;
  const isNetwork = typeof kind === "string" && typeof network === "string";
  return isNetwork ? `network\t${networkId(kind, network)}\t${context}` : undefined;
}

const SHAPES: Readonly<Record<string, readonly [tx: RegExp, address: RegExp]>> = {
  evm: [/^0x[0-9a-f]{64}$/i, /^0x[0-9a-f]{40}$/i],
  stellar: [/^[0-9a-f]{64}$/, /^G[A-Z2-7]{55}$/],
  solana: [/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
};

export function pageOfWord({ key, text }: ExploredWord, kind: string): ExplorerPage | undefined {
  const [tx, address] = SHAPES[kind] ?? [];
  if (BLOCK.test(key)) return { block: text };
  if (/hash|signature/.test(key)) return tx?.test(text) ? { tx: text } : undefined;
  if (/(?:^|_)id$|name/.test(key)) return undefined;
  return address?.test(text) ? { address: text } : undefined;
}
