import { createHash } from "node:crypto";
import { join } from "node:path";
import { type LockTimes, type Surroundings, withLock } from "../config/files/lock.ts";
import { RelayctlError } from "../errors.ts";
import { writeError } from "./appender.ts";
import type { JournalFolder } from "./folder.ts";
import { createPrivately } from "./folder-lock.ts";
import type { Journal } from "./journal.ts";

const DIGITS = 32;

export function lockPath(folder: JournalFolder, key: string): string {
  return join(folder.path, `key-${createHash("sha256").update(key).digest("hex").slice(0, DIGITS)}`);
}

export function createExclusive(
  folder: JournalFolder,
  surroundings: Surroundings,
  times: LockTimes = {},
): Journal["exclusively"] {
  return async (key, work) => {
    let isHeld = false;
    try {
      await createPrivately(folder);
      const workInside = () => {
        isHeld = true;
        return work();
      };
      return await withLock(lockPath(folder, key), surroundings, workInside, times);
    } catch (error) {
      if (isHeld) throw error;
      const problem = writeError(folder.path, error);
      throw problem === error && error instanceof RelayctlError ? inUse(error) : problem;
    }
  };
}

function inUse(error: RelayctlError): RelayctlError {
  return error.failure === "usage" ? error.with({ failure: "conflict" }) : error;
}
