import { fstatSync, futimesSync } from "node:fs";
import type { OpenFile } from "../folder.ts";

const SECOND = 1_000_000_000n;
const HALF = SECOND / 2n;

export function factsOf({ descriptor }: Pick<OpenFile, "descriptor">): string {
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Gives the file a time in half seconds, as no write does: its clock may stand still for ms. Undefined without facts. */
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
