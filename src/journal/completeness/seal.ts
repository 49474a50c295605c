import { fstatSync, futimesSync } from "node:fs";
import type { OpenFile } from "../folder.ts";

const SECOND = 1_000_000_000n;
const HALF = SECOND / 2n;

export function factsOf({ descriptor }: Pick<OpenFile, "descriptor">): string {
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/**
 * Returns the facts that identify a file whose lines all fit; undefined if its file system lacks them. Its clock stands still
 * for milliseconds, so the file gets a time in half seconds, which no write gives: a change right now shows, too.
 */
export function sealOf(file: OpenFile): string | undefined {
  try {
    const { mtimeNs } = fstatSync(file.descriptor, { bigint: true });
    const time = Number(mtimeNs / SECOND) + 0.5;
    futimesSync(file.descriptor, time, time);
    return fstatSync(file.descriptor, { bigint: true }).mtimeNs % SECOND === HALF ? factsOf(file) : undefined;
  } catch {
    return undefined;
  }
}
