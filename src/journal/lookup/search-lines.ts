import type { OpenFile } from "../folder.ts";
import { hasEntryKey, mayHaveEntryKey, type Pointed } from "../keys.ts";
import { lineEntry } from "../line.ts";
import { readLines } from "../read-lines.ts";

export function searchLines(open: OpenFile, from: number, keys: ReadonlySet<string>): Pointed[] {
  const entries: Pointed[] = [];
  for (const { offset, bytes, isTooLong, isComplete } of readLines(open.descriptor, from, open.size)) {
    if (isTooLong || !isComplete || !mayHaveEntryKey(bytes, keys)) continue;
    const entry = lineEntry(bytes, open.path);
    if (entry && hasEntryKey(entry, keys)) entries.push({ offset, entry });
  }
  return entries;
}
