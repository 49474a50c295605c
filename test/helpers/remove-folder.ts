import { rmSync } from "node:fs";

const MOST_TRIES = 100;

/**
 * Removes a folder with everything in it. A process that outlives its test, e.g. the one that reads IDs for TAB, may write
 * into the folder meanwhile: then it is removed once more.
 */
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
