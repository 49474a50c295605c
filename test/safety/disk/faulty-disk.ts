import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** Which call to the file system fails, and how. */
export interface Fault {
  /** The number of the first call that fails, from 1. */
  at: number;
  /** Whether all further calls fail too. */
  isLasting: boolean;
  code: "ENOSPC" | "EIO" | "EROFS" | "EACCES";
  /** Set if the call writes half of its bytes, and the next one fails. */
  isShort?: boolean;
}

/** What was seen of the calls. */
export interface Watched {
  /** The number of calls that the fault could have met. */
  calls: number;
  /** How many of these change something, and how many write. */
  changing: number;
  writing: number;
  /** The names of those that failed. */
  failed: string[];
  /** The files of src that made calls which change something, each with the call: `config/store.ts rename`. */
  places: Set<string>;
}

type Callable = (this: unknown, ...given: never[]) => unknown;
type Holder = Record<string, Callable>;
type Met = "fails" | "short" | undefined;

/** What works on a full disk, and on a read-only disk. All of these fail on a broken disk. */
const READS = /^(?:open|read|readFile|readdir|l?stat|f?stat|access|realpath|lstat)(?:Sync)?$/;
const WRITES = /^(?:write|append)/;
/** What never fails, or doesn't call the file system. */
const OTHERS = /^[A-Z_]|^(?:exists|watch|unwatch|create\w+Stream|toString|getAsyncId|valueOf|constructor|on|off|emit)/;
const CREATES = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT;
/** Where files for an editor are. */
const EDITED = join(tmpdir(), "relayctl-");

interface Faulty {
  folder: string;
  fault: Fault;
  watched: Watched;
  /** What is open, and whether it is open for writing. */
  descriptors: Map<number, boolean>;
  /** Those whose closing failed, although they are closed: closed once more, they may be another thread's. */
  closed: Set<number>;
  handles: WeakMap<object, boolean>;
  /** How many functions of Node are running that call others. */
  depth: number;
  /** Whether it is noted who calls. */
  notesPlaces: boolean;
}

let current: Faulty | undefined;
let installed: Promise<void> | undefined;

/**
 * Does work while the file system fails below a folder: replaces all functions of `node:fs`, methods of file handles,
 * and copies in libraries.
 */
export async function onFaultyDisk<T>(
  folder: string,
  fault: Fault,
  work: () => Promise<T>,
  notesPlaces = false,
): Promise<[T, Watched]> {
  installed ??= replaceAll();
  await installed;
  const watched: Watched = { calls: 0, changing: 0, writing: 0, failed: [], places: new Set() };
  current = {
    folder,
    fault,
    watched,
    descriptors: new Map(),
    closed: new Set(),
    handles: new WeakMap(),
    depth: 0,
    notesPlaces,
  };
  try {
    return [await work(), watched];
  } finally {
    current = undefined;
  }
}

function isMeant({ folder, descriptors, handles }: Faulty, self: unknown, first: unknown): boolean {
  if (typeof first === "string")
    return first.startsWith(folder) || first.startsWith(EDITED) || handles.has(Object(self));
  return (typeof first === "number" && descriptors.has(first)) || handles.has(Object(self));
}

function changes(name: string, given: readonly unknown[]): boolean {
  if (!READS.test(name)) return true;
  if (!name.startsWith("open")) return false;
  const flags = given[1] ?? "r";
  return typeof flags === "number" ? (flags & CREATES) !== 0 : flags !== "r";
}

/** A file that was only read is closed without anything to write. */
function onlyCloses({ descriptors, handles }: Faulty, self: unknown, name: string, given: readonly unknown[]): boolean {
  if (!/^close/.test(name)) return false;
  return (descriptors.get(given[0] as number) ?? handles.get(Object(self))) === false;
}

/** Returns whether the fault can meet a call: reads work on a full disk, and on a read-only disk. */
function isOpenTo({ fault, watched }: Faulty, name: string, given: readonly unknown[]): boolean {
  const { code, isShort } = fault;
  // The disk is full after the write that was cut short, for all that changes something.
  if (isShort && watched.calls < fault.at) return WRITES.test(name);
  return code === "EIO" || code === "EACCES" || changes(name, given);
}

function meets(faulty: Faulty, self: unknown, name: string, given: readonly unknown[]): Met {
  const { fault, watched, depth, notesPlaces } = faulty;
  if (depth > 0 || onlyCloses(faulty, self, name, given) || !isOpenTo(faulty, name, given)) return undefined;
  if (notesPlaces && changes(name, given)) watched.places.add(`${callingFile()} ${name.replace(/Sync$/, "")}`);
  if (changes(name, given)) watched.changing++;
  if (WRITES.test(name)) watched.writing++;
  const call = ++watched.calls;
  if (call < fault.at || (call > fault.at && !fault.isLasting)) return undefined;
  watched.failed.push(name);
  return fault.isShort && call === fault.at ? "short" : "fails";
}

/** Returns the file of src, or of a library, that makes the present call. To find its line, too, takes a fifth of all time. */
export function callingFile(): string {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName()).join("\n");
  const names = new Error().stack ?? "";
  Error.prepareStackTrace = prepareStackTrace;
  return /\/(?:src|node_modules)\/([^:?)\n]+)/.exec(names)?.[1] ?? "unknown";
}

function failure({ fault: { code } }: Faulty, name: string): Error {
  return Object.assign(new Error(`${code}: ${name}`), { code });
}

function note({ descriptors, handles }: Faulty, name: string, given: readonly unknown[], result: unknown): void {
  if (!/^open(?:Sync)?$/.test(name)) return;
  if (typeof result === "number") descriptors.set(result, changes(name, given));
  if (typeof result === "object" && result !== null) handles.set(result, changes(name, given));
}

function replaced(name: string, own: Callable): Callable {
  return function (this: unknown, ...given: unknown[]): unknown {
    const call = (...changed: unknown[]) => own.apply(this, changed as never[]);
    const faulty = current;
    if (name === "closeSync" && faulty?.closed.delete(given[0] as number))
      throw Object.assign(new Error(`EBADF: ${name}`), { code: "EBADF" });
    if (!faulty || !isMeant(faulty, this, given[0])) return call(...given);
    const last = given.at(-1);
    const met = meets(faulty, this, name, given);
    if (/^close/.test(name) && typeof given[0] === "number") faulty.descriptors.delete(given[0]);
    if (typeof last === "function" && !name.endsWith("Sync")) return called(faulty, name, { call, given, met });
    if (name.endsWith("Sync")) return inside(faulty, () => sync(faulty, name, { call, given, met }));
    return promised(faulty, name, { call, given, met, isMethod: faulty.handles.has(Object(this)) });
  };
}

interface Called {
  call: (...all: unknown[]) => unknown;
  given: unknown[];
  met: Met;
  /** Whether it is a method of a file handle, which gets no path. */
  isMethod?: boolean;
}

/** A function with a callback, whose last argument that is. */
function called(faulty: Faulty, name: string, { call, given, met }: Called): unknown {
  const done = given.at(-1) as (...all: unknown[]) => unknown;
  if (met !== undefined) return void setImmediate().then(() => done(failure(faulty, name)));
  return call(...given.slice(0, -1), (error: Error | null, ...rest: unknown[]) => {
    note(faulty, name, given, rest[0]);
    done(error, ...rest);
  });
}

/** Calls within Node's own functions don't count as the program's. */
function inside<R>(faulty: Faulty, doIt: () => R): R {
  faulty.depth++;
  try {
    return doIt();
  } finally {
    faulty.depth--;
  }
}

function sync(faulty: Faulty, name: string, { call, given, met }: Called): unknown {
  if (met === "fails" && name === "closeSync") {
    call(...given);
    faulty.closed.add(given[0] as number);
  }
  if (met === "fails") throw failure(faulty, name);
  if (met === "short") {
    if (name === "writeSync" || name === "writevSync") return call(given[0], halfOf(given[1]));
    call(given[0], halfOf(given[1]), ...given.slice(2));
    throw failure(faulty, name);
  }
  const result = call(...given);
  note(faulty, name, given, result);
  return result;
}

async function promised(faulty: Faulty, name: string, { call, given, met, isMethod }: Called): Promise<unknown> {
  if (met === "fails" && name === "close") await call(...given);
  if (met === "fails") throw failure(faulty, name);
  if (met === "short") {
    if (isMethod) await call(halfOf(given[0]));
    else await call(given[0], halfOf(given[1]), ...given.slice(2));
    throw failure(faulty, name);
  }
  const result = await call(...given);
  note(faulty, name, given, result);
  return result;
}

function halfOf(content: unknown): unknown {
  if (typeof content === "string") return content.slice(0, content.length / 2);
  const bytes = content as Uint8Array;
  return bytes.subarray(0, bytes.length / 2);
}

async function replaceAll(): Promise<void> {
  const handle = await fs.promises.open(import.meta.filename);
  await handle.close();
  const requireOfLocks = createRequire(createRequire(import.meta.url).resolve("proper-lockfile"));
  const locks = requireOfLocks("graceful-fs") as Holder;
  const prototype = Object.getPrototypeOf(handle) as Holder;
  await replaceStubborn();
  for (const holder of [fs as unknown as Holder, fs.promises as unknown as Holder, prototype, locks]) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const own = Object.getOwnPropertyDescriptor(holder, name)?.value as unknown;
      if (typeof own !== "function" || OTHERS.test(name)) continue;
      holder[name] = Object.assign(replaced(name, own as Callable), own);
    }
  }
  syncBuiltinESMExports();
}

/** The library of the config keeps copies: some retry for a second of real time, and the failures of others don't matter. */
async function replaceStubborn(): Promise<void> {
  const paths = ["conf", "atomically", "stubborn-fs"];
  const found = paths.reduce((from, name) => createRequire(from).resolve(name), import.meta.filename);
  const { default: stubborn } = (await import(pathToFileURL(found).href)) as {
    default: Record<"attempt" | "retry", Record<string, unknown>>;
  };
  for (const name of Object.keys(stubborn.attempt).filter((each) => each.endsWith("Sync"))) {
    const once = replaced(name, (fs as unknown as Holder)[name] as Callable);
    stubborn.attempt[name] = (...given: never[]) => {
      try {
        return once.apply(undefined, given);
      } catch (error) {
        if (/^ch/.test(name)) throw error;
        return undefined;
      }
    };
  }
  for (const name of Object.keys(stubborn.retry).filter((each) => each.endsWith("Sync"))) {
    const once = replaced(name, (fs as unknown as Holder)[name] as Callable);
    stubborn.retry[name] = () => once;
  }
}

/** Makes the locks of processes that ended old, as the time that passes until the next one does. */
export function ageLocks(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.name.endsWith(".lock")) {
      if (entry.isDirectory()) ageLocks(path);
      continue;
    }
    try {
      fs.utimesSync(path, 0, 0);
    } catch {
      // It was released just now.
    }
  }
}
