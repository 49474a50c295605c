import type { Chance } from "../../safety/fuzz/chance.ts";
import { GWEI } from "../model/world.ts";

export interface GivenRow {
  to: string;
  value: bigint;
  data: string | null;
}

export interface GivenFile {
  name: string;
  text: string;
  /** By their numbers from 1, less one. */
  rows: readonly GivenRow[];
  sum: bigint;
  /** Whether two rows pay the same. */
  hasDuplicates: boolean;
}

const MOST_ROWS = 500;

/** Generates a file of one to 500 rows, small ones more often. */
export function generateFile(chance: Chance): GivenFile {
  const count = 1 + chance.below(chance.pick([3, 10, 40, 150, MOST_ROWS]));
  const receivers = chance.pick([2, count, 10 * count]);
  const values = chance.pick([3, 1_000, 1_000_000]);
  const isNdjson = chance.once(3);
  const hasGas = chance.once(2);
  const rows = Array.from(
    { length: count },
    (): GivenRow => ({
      to: `0x${(chance.below(receivers) + 0x1000).toString(16).padStart(40, "b")}`,
      value: BigInt(1 + chance.below(values)) * chance.pick([1n, GWEI]),
      data: chance.once(20) ? "0xd0e30db0" : null,
    }),
  );
  const lines = rows.map((row, index) => (isNdjson ? ndjsonLine(row) : csvLine(row, { index, hasGas })));
  const header = `to,value,data,label${hasGas ? ",gas_limit" : ""}`;
  return {
    name: isNdjson ? "payouts.ndjson" : "payouts.csv",
    text: [...(isNdjson ? [] : [header]), ...lines, ""].join("\n"),
    rows,
    sum: rows.reduce((sum, { value }) => sum + value, 0n),
    hasDuplicates: new Set(rows.map(contentOf)).size < rows.length,
  };
}

function csvLine({ to, value, data }: GivenRow, { index, hasGas }: { index: number; hasGas: boolean }): string {
  return [to, `${value}`, data ?? "", `p-${index + 1}`, ...(hasGas ? [data ? "60000" : "21000"] : [])].join(",");
}

function ndjsonLine({ to, value, data }: GivenRow): string {
  return `{"to":"${to}","value":${value},"data":${data === null ? null : `"${data}"`}}`;
}

/** Returns what is equal for rows that pay the same. */
export function contentOf({ to, value, data }: GivenRow): string {
  return `${to} ${value} ${data ?? "0x"}`.toLowerCase();
}
