import { dirname, isAbsolute, join } from "node:path";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { REDACTED, REDACTED_RULE } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import { hiddenIn, unsetHiddenText } from "../hidden.ts";
import { parseDocument, type SourceDocument } from "../source/document.ts";
import { type FleetSources, NO_FILE } from "../sources.ts";
import type { FileReport } from "./file-report.ts";

export interface LoadedDocument extends SourceDocument {
  /** The texts with references, by dotted path. */
  interpolations: ReadonlyMap<string, Interpolation>;
  /** The paths of `${hidden:…}` and of missing values; a member that may have the value removes its path. */
  unclaimed: Set<string>;
}

interface Interpolation extends Interpolated {
  written: string;
  /** Set if the value is missing. */
  unset?: UnsetError;
}

export async function loadDocument(
  path: string,
  sources: FleetSources,
  report: FileReport,
  isListed = false,
): Promise<LoadedDocument | undefined> {
  const file = path === "-" ? "stdin" : path;
  const read = () => (isListed ? sources.readReferenced(path, path) : sources.read(path));
  const document = await report.gather(file, async () => parseDocument(file, await read()));
  if (!document) return undefined;
  if (document.hasMark && document.format === "json")
    report.say(document, "", {
      ...{ severity: "error", code: "syntax", message: "no service reads a byte order mark" },
      fix: "save it as UTF-8 without one",
    });
  const interpolations = new Map<string, Interpolation>();
  const slots: Slot[] = [];
  collectSlots(document.value, "", slots);
  const unclaimed = new Set<string>();
  for (const { holder, key, at, written } of slots) {
    if (hiddenIn(written) !== undefined) {
      unclaimed.add(at);
      continue;
    }
    const found = await interpolate(written, file, sources).catch((error) => {
      if (error instanceof InterpolationError) return error;
      throw error;
    });
    if (!(found instanceof InterpolationError)) {
      interpolations.set(at, { ...found, written });
      Object.assign(holder, { [key]: found.text });
      continue;
    }
    const unset = found instanceof UnsetError ? { unset: found } : {};
    interpolations.set(at, { text: written, values: [], isHidden: false, written, ...unset });
    if (found instanceof UnsetError) {
      unclaimed.add(at);
      Object.assign(holder, { [key]: unsetHiddenText(found.fix, written.slice(0, written.indexOf("${"))) });
    } else report.problem(document, at, found.message);
  }
  return { ...document, interpolations, unclaimed };
}

interface Slot {
  holder: JsonArray | JsonObject;
  key: string | number;
  at: string;
  written: string;
}

function collectSlots(holder: JsonValue, prefix: string, slots: Slot[]): void {
  const entries = Array.isArray(holder) ? holder.entries() : isJsonObject(holder) ? Object.entries(holder) : [];
  for (const [key, value] of entries) {
    if (typeof value !== "string") {
      if (value !== null && typeof value === "object") collectSlots(value, `${prefix}${key}.`, slots);
    } else if (isInterpolated(value) || value.includes(REDACTED)) {
      slots.push({ holder: holder as JsonArray | JsonObject, key, at: `${prefix}${key}`, written: value });
    }
  }
}

type Part = { text: string } | { from: "env" | "file"; name: string };

/** Why a text, or its reference, is not usable. The message contains no value. */
export class InterpolationError extends Error {
  override readonly name = "InterpolationError";
}

/** The variable of a text is not set, or its file does not exist. */
export class UnsetError extends InterpolationError {
  /** The fix: `set NAME`. */
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** Matches an escaped `${`, or anything that looks like a reference. */
const REFERENCE = /\$\$\{|\$\{([^{}]*)\}?/g;
const KNOWN = /^(env|file):(.+)$/s;

export function isInterpolated(text: string): boolean {
  return text.includes("${");
}

/** Splits a text at its references: `${env:NAME}`, `${file:PATH}`; `$${` is `${`. @throws InterpolationError */
export function interpolationParts(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of text.matchAll(REFERENCE)) {
    parts.push({ text: text.slice(end, found.index) });
    end = found.index + found[0].length;
    parts.push(found[0] === "$${" ? { text: "${" } : parseReference(found[1] ?? "", found[0]));
  }
  return [...parts, { text: text.slice(end) }];
}

function parseReference(inner: string, whole: string): Part {
  const [, from, name] = whole.endsWith("}") ? (KNOWN.exec(inner) ?? []) : [];
  if ((from === "env" || from === "file") && name !== undefined) return { from, name };
  if (!whole.endsWith("}")) throw new InterpolationError(`has a \${ without a }; $\${ stands for \${`);
  if (inner.startsWith("hidden:"))
    throw new InterpolationError(`\${hidden:…} stands only for a whole value that a service does not return`);
  throw new InterpolationError(`has an unknown reference; known: \${env:NAME}, \${file:PATH}; $\${ stands for \${`);
}

type Interpolated = Awaited<ReturnType<typeof interpolate>>;

/** Replaces the references in a text; paths are relative to the file. @throws InterpolationError */
export async function interpolate(text: string, file: string | undefined, sources: FleetSources) {
  if (text.includes(REDACTED)) throw new InterpolationError(REDACTED_RULE);
  const values: string[] = [];
  const texts: string[] = [];
  let isHidden = false;
  for (const part of interpolationParts(text)) {
    if ("text" in part) texts.push(part.text);
    else {
      const value =
        part.from === "env" ? interpolationVariable(part.name, sources) : await readContent(part.name, file, sources);
      isHidden ||= part.from === "file" || !sources.mayShow(part.name);
      values.push(value);
      texts.push(value);
    }
  }
  return { text: texts.join(""), values, isHidden };
}

/** @throws InterpolationError if the variable is unset or empty */
export function interpolationVariable(name: string, { env }: FleetSources): string {
  const value = env(name);
  if (value) return value;
  throw new UnsetError(`the environment variable ${name} is ${value === "" ? "empty" : "not set"}`, `set ${name}`);
}

async function readContent(path: string, file: string | undefined, sources: FleetSources): Promise<string> {
  const target = nextTo(file ?? "", path);
  const text = await readablePath(target, file, sources);
  const value = text.replace(/^\ufeff|\r?\n$/g, "");
  if (value === "") throw new UnsetError(`the file ${target} is empty`, `create ${target}`);
  return value;
}

async function readablePath(path: string, from: string | undefined, sources: FleetSources): Promise<string> {
  try {
    return await sources.readReferenced(path, from);
  } catch (error) {
    const [problem] = error instanceof RelayctlError ? error.details : [];
    if (!problem) throw error;
    const message = `the file ${path} ${problem.rule}`;
    throw problem.rule === NO_FILE ? new UnsetError(message, `create ${path}`) : new InterpolationError(message);
  }
}

function nextTo(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

/** Returns a text with `${file:PATH}` relative to the current folder instead of a file. */
export function rebasedInterpolation(text: string, file: string): string {
  return text.replace(REFERENCE, (whole, inner: string | undefined) => {
    const [, from, name] = KNOWN.exec(inner ?? "") ?? [];
    return from === "file" && name !== undefined ? `\${file:${nextTo(file, name)}}` : whole;
  });
}

export function interpolationLiteral(text: string): string {
  return text.replace(REFERENCE, (whole) => (whole === "$${" ? "${" : ""));
}
