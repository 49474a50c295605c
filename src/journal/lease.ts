import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { type LockTimes, type LockWorld, withLock } from "../config/files/lock.ts";
import { readTextNow } from "../config/files/read-now.ts";
import { isJsonObject, writeJson } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import { journalError } from "./appender.ts";
import type { JournalFolder } from "./folder.ts";
import { createPrivateFolder } from "./folder-lock.ts";
import type { Journal } from "./journal.ts";
import { lineJson } from "./line.ts";
import { removeJournalFile, replaceFile } from "./replace-file.ts";

const DIGITS = 32;

function lockPath(folder: JournalFolder, key: string): string {
  return join(folder.path, `key-${createHash("sha256").update(key).digest("hex").slice(0, DIGITS)}`);
}

export function createKeyLock(
  folder: JournalFolder,
  surroundings: LockWorld,
  times: LockTimes = {},
): Journal["exclusively"] {
  return async (key, work) => {
    let isHeld = false;
    try {
      await createPrivateFolder(folder);
      const workInside = () => {
        isHeld = true;
        return work();
      };
      return await withLock(lockPath(folder, key), surroundings, workInside, times);
    } catch (error) {
      if (isHeld) throw error;
      const problem = journalError(folder.path, error);
      const isInUse = problem === error && error instanceof RelayctlError && error.failure === "usage";
      throw isInUse ? error.with({ failure: "conflict" }) : problem;
    }
  };
}

export interface Processes {
  own: number;
  /** Reads a clock that never jumps; absent in a process that takes one lease: another with its number is earlier. */
  started?(): number;
  /** Process IDs only mean something on one machine. */
  host(): string;
  isRunning(pid: number): boolean;
  /** Returns when a process started, in any unit, if the system shows it. */
  startOf?(pid: number): string | undefined;
}

interface Owner {
  pid: number;
  host: string;
  /** When its process started, if it can take the lease twice. */
  started?: number;
  token: string;
}

export function createLease(folder: JournalFolder, surroundings: LockWorld, processes: Processes): Journal["leased"] {
  return async (key, work) => {
    const lock = lockPath(folder, key);
    const path = `${lock}.owner`;
    const state = ownerState(ownerIn(path), processes);
    if (state === "ended") removeJournalFile(`${lock}.lock`);
    // A running process's lock is not waited for, since a run takes long.
    const times = state === "running" ? { patience: 0 } : {};
    return await createKeyLock(
      folder,
      surroundings,
      times,
    )(key, async () => {
      const started = processes.started?.();
      const owner: Owner = {
        pid: processes.own,
        host: processes.host(),
        ...(started !== undefined && { started }),
        token: surroundings.random.uuid(),
      };
      const isHeld = () => ownerIn(path)?.token === owner.token;
      try {
        replaceFile(folder, basename(path), { text: writeJson({ ...owner }), unique: owner.token });
      } catch (error) {
        throw journalError(folder.path, error);
      }
      try {
        return await work({ isHeld });
      } finally {
        if (isHeld()) removeJournalFile(path);
      }
    });
  };
}

/** Milliseconds by which two readings of one start may differ, since each reads two clocks. */
const SAME_START = 50;

/** This process's number with another start time belonged to an earlier process. */
function ownerState(owner: Owner | undefined, processes: Processes): "running" | "ended" | "unknown" {
  if (owner?.host !== processes.host()) return "unknown";
  if (owner.pid !== processes.own) return processes.isRunning(owner.pid) ? "running" : "ended";
  const [then, now] = [owner.started, processes.started?.()];
  return then !== undefined && now !== undefined && Math.abs(then - now) < SAME_START ? "running" : "ended";
}

const MOST_BYTES = 2 ** 16;

function ownerIn(path: string): Owner | undefined {
  const owner = lineJson(Buffer.from(readTextNow(path, MOST_BYTES) ?? ""));
  return isJsonObject(owner) ? (owner as unknown as Owner) : undefined;
}
