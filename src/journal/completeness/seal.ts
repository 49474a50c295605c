import { fstatSync, futimesSync } from "node:fs";
import type { OpenFile } from "../folder.ts";

const SECOND = 1_000_000_000n;
const HALF = SECOND / 2n;

export function factsOf({ descriptor }: Pick<OpenFile, "descriptor">): string {
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Undefined if the file system lacks them. Its clock stands still for ms, so the file gets a time no write gives. */
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
