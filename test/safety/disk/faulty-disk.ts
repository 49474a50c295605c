import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Which call to the file system fails, and how. */
export interface Fault {
  /** The number of the first call that fails, from 1. */
  at: number;
  /** Whether all further calls fail too. */
  isLasting: boolean;
  code: "ENOSPC" | "EDQUOT" | "EIO" | "EROFS" | "EACCES";
  /** Set if the call writes half of its bytes, and the next one fails. */
  isShort?: boolean;
}

/** What was seen of the calls. */
export interface Watched {
  /** The number of calls that the fault could have met. */
  calls: number;
  /** The names of those that failed. */
  failed: string[];
}

type Callable = (this: unknown, ...given: never[]) => unknown;
type Holder = Record<string, Callable>;

/** What works on a full disk, and on one that cannot be written; all of these fail on a broken one. */
const READS = /^(?:open|read|readFile|readdir|l?stat|f?stat|access|realpath|lstat)(?:Sync)?$/;
/** What never fails, or is no call to the file system. */
const OTHERS = /^[A-Z_]|^(?:exists|watch|unwatch|create\w+Stream|toString|getAsyncId|valueOf|constructor|on|off|emit)/;
const CREATES = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT;

/**
 * Does work while the file system fails below a folder. Every function of `node:fs` and every method of a file handle is
 * replaced until it is done, and those of the copy that the library of locks has.
 */
export async function onFaultyDisk<T>(folder: string, fault: Fault, work: () => Promise<T>): Promise<[T, Watched]> {
  const watched: Watched = { calls: 0, failed: [] };
  const descriptors = new Set<number>();
  const handles = new WeakSet<object>();
  let isOn = true;
  let depth = 0;

  const isBelow = (path: unknown) => typeof path === "string" && path.startsWith(folder);
  const isMeant = (self: unknown, first: unknown) =>
    isBelow(first) || (typeof first === "number" && descriptors.has(first)) || handles.has(Object(self));

  const changes = (name: string, given: readonly unknown[]) => {
    if (!READS.test(name)) return true;
    if (!name.startsWith("open")) return false;
    const flags = given[1] ?? "r";
    return typeof flags === "number" ? (flags & CREATES) !== 0 : flags !== "r";
  };

  /** Returns whether the fault can meet a call: what only reads works on a full disk, and on one that cannot be written. */
  const isOpenTo = (name: string, given: readonly unknown[]) => {
    if (fault.isShort) return /^write|^append/.test(name);
    return fault.code === "EIO" || fault.code === "EACCES" || changes(name, given);
  };

  /** Returns whether a call fails, or is cut short. */
  const meets = (name: string, given: readonly unknown[]): "fails" | "short" | undefined => {
    if (!isOn || depth > 0 || !isOpenTo(name, given)) return undefined;
    const call = ++watched.calls;
    if (call < fault.at || (call > fault.at && !fault.isLasting)) return undefined;
    watched.failed.push(name);
    return fault.isShort && call === fault.at ? "short" : "fails";
  };

  const failure = (name: string) => Object.assign(new Error(`${fault.code}: ${name}`), { code: fault.code });
  const note = (name: string, result: unknown) => {
    if (/^open(?:Sync)?$/.test(name) && typeof result === "number") descriptors.add(result);
    if (typeof result === "object" && result !== null && "fd" in result) handles.add(result);
  };

  function replaced(name: string, own: Callable): Callable {
    return function (this: unknown, ...given: unknown[]): unknown {
      const call = (...changed: unknown[]) => own.apply(this, changed as never[]);
      if (!isMeant(this, given[0])) return call(...given);
      const last = given.at(-1);
      const met = meets(name, given);
      if (/^close/.test(name) && typeof given[0] === "number") descriptors.delete(given[0]);
      if (typeof last === "function" && !name.endsWith("Sync")) return called(name, call, given, met);
      if (name.endsWith("Sync")) return inside(() => sync(name, call, given, met));
      return promised(name, call, given, met);
    };
  }

  /** A function with a callback, whose last argument that is. */
  function called(name: string, call: Callable, given: unknown[], met: "fails" | "short" | undefined): unknown {
    const done = given.at(-1) as (...all: unknown[]) => unknown;
    if (met !== undefined) return void setImmediate().then(() => done(failure(name)));
    const noting = (error: Error | null, ...rest: unknown[]) => {
      note(name, rest[0]);
      done(error, ...rest);
    };
    return (call as (...all: unknown[]) => unknown)(...given.slice(0, -1), noting);
  }

  /** What Node's own functions call is no call of the program. */
  function inside<R>(doIt: () => R): R {
    depth++;
    try {
      return doIt();
    } finally {
      depth--;
    }
  }

  function sync(name: string, call: Callable, given: unknown[], met: "fails" | "short" | undefined): unknown {
    const act = (...changed: unknown[]) => (call as (...all: unknown[]) => unknown)(...changed);
    if (met === "fails" && name === "closeSync") act(...given);
    if (met === "fails") throw failure(name);
    if (met === "short") {
      if (name === "writeSync" || name === "writevSync") return act(given[0], halfOf(given[1]));
      act(given[0], halfOf(given[1]), ...given.slice(2));
      throw failure(name);
    }
    const result = act(...given);
    note(name, result);
    return result;
  }

  async function promised(name: string, call: Callable, given: unknown[], met: "fails" | "short" | undefined) {
    const act = (...changed: unknown[]) => (call as (...all: unknown[]) => unknown)(...changed);
    if (met === "fails" && name === "close") await act(...given);
    if (met === "fails") throw failure(name);
    if (met === "short") {
      const isHandle = typeof given[0] !== "string" || !isBelow(given[0]);
      if (isHandle) await act(halfOf(given[0]));
      else await act(given[0], halfOf(given[1]), ...given.slice(2));
      throw failure(name);
    }
    const result = await act(...given);
    note(name, result);
    return result;
  }

  const restore = await replaceAll(replaced);
  try {
    return [await work(), watched];
  } finally {
    isOn = false;
    restore();
  }
}

function halfOf(content: unknown): unknown {
  if (typeof content === "string") return content.slice(0, content.length / 2);
  const bytes = content as Uint8Array;
  return bytes.subarray(0, bytes.length / 2);
}

async function replaceAll(replaced: (name: string, own: Callable) => Callable): Promise<() => void> {
  const kept: [Holder, string, Callable][] = [];
  for (const holder of await holders()) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const own = Object.getOwnPropertyDescriptor(holder, name)?.value as unknown;
      if (typeof own !== "function" || OTHERS.test(name)) continue;
      kept.push([holder, name, own as Callable]);
      holder[name] = Object.assign(replaced(name, own as Callable), own);
    }
  }
  syncBuiltinESMExports();
  return () => {
    for (const [holder, name, own] of kept) holder[name] = own;
    syncBuiltinESMExports();
  };
}

async function holders(): Promise<Holder[]> {
  const handle = await fs.promises.open(import.meta.filename);
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as Holder;
  const requireOfLocks = createRequire(createRequire(import.meta.url).resolve("proper-lockfile"));
  const locks = requireOfLocks("graceful-fs") as Holder;
  return [fs as unknown as Holder, fs.promises as unknown as Holder, prototype, locks];
}

/** Makes the locks of processes that ended old, as the time that passes until the next one does. */
export function ageLocks(folder: string): void {
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.name.endsWith(".lock")) fs.utimesSync(join(entry.parentPath, entry.name), 0, 0);
}
