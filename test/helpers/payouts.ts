export function receiver(row: number): string {
  return `0x${row.toString(16).padStart(40, "0")}`;
}

/** A file in which row N pays N microether to its own receiver. */
export function payouts(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => `${receiver(index + 1)},${index + 1}000000000000,30000`);
  return ["to,value,gas_limit", ...lines, ""].join("\n");
}

export function receivers(rows: number): string[] {
  return Array.from({ length: rows }, (_, index) => receiver(index + 1));
}
