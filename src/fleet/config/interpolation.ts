import { dirname, isAbsolute, join } from "node:path";
import { RelayctlError } from "../../errors.ts";
import { type FleetSources, NO_FILE } from "../sources.ts";

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
    parts.push(found[0] === "$${" ? { text: "${" } : buildReference(found[1] ?? "", found[0]));
  }
  return [...parts, { text: text.slice(end) }];
}

function buildReference(inner: string, whole: string): Part {
  const [, from, name] = whole.endsWith("}") ? (KNOWN.exec(inner) ?? []) : [];
  if ((from === "env" || from === "file") && name !== undefined) return { from, name };
  if (!whole.endsWith("}")) throw new InterpolationError(`has a \${ without a }; $\${ stands for \${`);
  if (inner.startsWith("hidden:"))
    throw new InterpolationError(`\${hidden:…} stands only for a whole value that a service does not return`);
  throw new InterpolationError(`has an unknown reference; known: \${env:NAME}, \${file:PATH}; $\${ stands for \${`);
}

export type Interpolated = Awaited<ReturnType<typeof interpolated>>;

/** Replaces the references in a text; paths are relative to the file. @throws InterpolationError */
export async function interpolated(text: string, file: string | undefined, sources: FleetSources) {
  const values: string[] = [];
  const texts: string[] = [];
  let isHidden = false;
  for (const part of interpolationParts(text)) {
    if ("text" in part) texts.push(part.text);
    else {
      const value =
        part.from === "env" ? interpolationVariable(part.name, sources) : await content(part.name, file, sources);
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

async function content(path: string, file: string | undefined, sources: FleetSources): Promise<string> {
  const target = nextTo(file ?? "", path);
  const text = await readable(target, file, sources);
  const value = text.replace(/^\ufeff|\r?\n$/g, "");
  if (value === "") throw new UnsetError(`the file ${target} is empty`, `create ${target}`);
  return value;
}

async function readable(path: string, from: string | undefined, sources: FleetSources): Promise<string> {
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
