import type { OpenFile } from "../folder.ts";
import { hasKey, mayContain, type Pointed } from "../keys.ts";
import { entryOf } from "../line.ts";
import { readLines } from "../read-lines.ts";

export function searchLines(open: OpenFile, from: number, keys: ReadonlySet<string>): Pointed[] {
  const entries: Pointed[] = [];
  for (const { offset, bytes, isTooLong, isComplete } of readLines(open.descriptor, from, open.size)) {
    if (isTooLong || !isComplete || !mayContain(bytes, keys)) continue;
    const entry = entryOf(bytes, open.path);
    if (entry && hasKey(entry, keys)) entries.push({ offset, entry });
  }
  return entries;
}
