import { hashOf } from "../chain/evm/quantity.ts";
import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject, tryParseJson, writeJson } from "../contract/json.ts";
import type { MinedNonce } from "./mined-nonce.ts";

/** Where nonces of one account are kept between runs, in parts of so many. Neither function fails. */
export interface NonceStore {
  load(part: bigint): Promise<string | undefined>;
  save(part: bigint, text: string): Promise<void>;
}

/** The nonces in a part, and the longest call data that is kept: a part then fits into a file of 64 KiB. */
export const PART = 64n;
const LONGEST_DATA = 400;

export function keptText(rows: readonly MinedNonce[]): string {
  const short = rows.filter(({ data }) => data.length <= LONGEST_DATA);
  return short.map((row) => `${writeJson(row as unknown as JsonObject)}\n`).join("");
}

/** Parses the nonces of one account, and leaves out lines that are not what this program wrote. */
export function parseKept(text: string | undefined, account: string): MinedNonce[] {
  return (text ?? "").split("\n").flatMap((line) => {
    const row = tryParseJson(new TextEncoder().encode(line));
    return isJsonObject(row) && row.from === account ? (parseRow(row, account) ?? []) : [];
  });
}

function parseRow(row: JsonObject, from: string): MinedNonce | undefined {
  const [nonce, value, fee, block] = [row.nonce, row.value, row.fee, row.block].map((each) => wireAmount(each));
  const [hash, blockHash] = [hashOf(row.hash), hashOf(row.blockHash)];
  const { to, data, time, reverted } = row;
  if (nonce === undefined || value === undefined || fee === undefined || block === undefined) return undefined;
  if (hash === undefined || blockHash === undefined || typeof data !== "string" || typeof time !== "number")
    return undefined;
  if ((to !== null && typeof to !== "string") || typeof reverted !== "boolean") return undefined;
  return { nonce, hash, from, to, value, data, block, blockHash, time, fee, reverted };
}
