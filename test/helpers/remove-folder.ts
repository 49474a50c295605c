import { rmSync } from "node:fs";

const MOST_TRIES = 100;

/** Removes a folder, twice if a process that outlives its test, e.g. the reader of IDs for TAB, writes into it. */
export function removeFolder(path: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      const isFilled = error instanceof Error && "code" in error && error.code === "ENOTEMPTY";
      if (!isFilled || tries === MOST_TRIES) throw error;
    }
  }
}
