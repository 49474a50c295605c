import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Surroundings, withLock } from "../config/files/lock.ts";
import { RelayctlError } from "../errors.ts";
import { writeError } from "./appender.ts";
import type { JournalFolder } from "./folder.ts";
import { createPrivately } from "./folder-lock.ts";
import type { Journal } from "./journal.ts";

const DIGITS = 32;

/** Returns the function that runs work under the lock of a key. The key's digest is the name of the lock. */
export function createExclusive(folder: JournalFolder, surroundings: Surroundings): Journal["exclusively"] {
  return async (key, work) => {
    const digest = createHash("sha256").update(key).digest("hex").slice(0, DIGITS);
    let isHeld = false;
    try {
      await createPrivately(folder);
      return await withLock(join(folder.path, `key-${digest}`), surroundings, () => {
        isHeld = true;
        return work();
      });
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
