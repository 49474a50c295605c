import { outputShapesOf } from "../../src/cli/help/output-schemas.ts";
import { isContextList } from "../../src/config/contexts.ts";
import { schemaNamed } from "../docs/schemas/schemas.ts";
import { violations } from "../docs/schemas/violations.ts";
import { pathIn } from "./documented.ts";

/** Flags that make a command print a part of its data, or none of it. */
const OTHERWISE = ["--fields", "--query", "--dry-run", "--curl", "--help", "-h"];

/** Compares a run's data with the schemas of its command. @throws Error */
export function validateBySchema(argv: readonly string[], exitCode: number, stdout: string): void {
  const path = pathIn(argv);
  if (path === undefined || stdout.includes("\u001b")) return;
  const values = printedData(argv, stdout);
  // A run that failed may have left its output in the middle.
  if (values === undefined && exitCode === 0) throw new Error(`relayctl ${argv.join(" ")} did not print JSON`);
  const isOfSeveral = argv.some(
    (word) => isContextList(word) && ["-c", "--context"].includes(argv[argv.indexOf(word) - 1] ?? ""),
  );
  const documented = isOfSeveral ? (values ?? []).flatMap(valuesInContexts) : (values ?? []);
  const wrong = documented.flatMap((value) => undocumented(path, value));
  if (wrong.length > 0)
    throw new Error(`relayctl ${argv.join(" ")} printed what docs/schemas does not describe:\n${wrong.join("\n")}`);
}

/** A value that was printed: the whole output, or one of its lines. */
export interface Printed {
  value: unknown;
  isLine: boolean;
}

/** Returns the values that a command line printed, or undefined if they are invalid JSON. */
export function printedData(argv: readonly string[], stdout: string): Printed[] | undefined {
  // A watch prints events to a pipe unless another format is typed.
  const format = formatIn(argv) ?? (stdout.startsWith('{"time":"') ? "ndjson" : undefined);
  const isOtherwise = argv.some((word) => OTHERWISE.includes(word.split("=")[0] ?? ""));
  if (stdout === "" || isOtherwise || (format !== "json" && format !== "ndjson")) return [];
  const isLine = format === "ndjson";
  try {
    return (isLine ? stdout.trimEnd().split("\n") : [stdout]).map((text) => ({ value: JSON.parse(text), isLine }));
  } catch {
    return undefined;
  }
}

/**
 * Returns where a value matches none of a command's schemas: the paths, for each schema.
 * @param path the words of the command
 * @param isStrict whether a member that a schema does not have is a violation, even in data of the service
 */
export function undocumented(path: string, { value, isLine }: Printed, isStrict = false): string[] {
  const found = outputShapesOf(path).map(({ schema, form }) => {
    const whole = schemaNamed(schema);
    const item = (isLine && form === "one" && whole.properties?.findings?.items) || whole;
    const wrong = violations(form === "list" && !isLine ? { type: "array", items: item } : item, value, { isStrict });
    return wrong.length === 0 ? undefined : `${schema} (${form}): ${wrong.join(", ")}`;
  });
  return found.includes(undefined) ? [] : [found.join("; ") || `${path} prints no data by its help`];
}

function formatIn(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((word) => word === "-o" || word === "--output");
  if (index >= 0) return argv[index + 1];
  return argv.find((word) => word.startsWith("--output="))?.slice("--output=".length);
}

/** Returns the values of several contexts as one context has them: each has its context as the last member. */
function valuesInContexts({ value, isLine }: Printed): Printed[] {
  if (Array.isArray(value)) return value.map((item) => ({ value: withoutContext(item), isLine: true }));
  if (!isRecord(value) || !Array.isArray(value.findings) || !Array.isArray(value.skipped))
    return [{ value: withoutContext(value), isLine }];
  const { findings, skipped } = value;
  return [{ value: { findings: findings.map(withoutContext), skipped: skipped.map(withoutContext) }, isLine }];
}

/** @throws Error if the context is missing */
function withoutContext(value: unknown): unknown {
  if (!isRecord(value) || typeof value.context !== "string") throw new Error("printed a value without its context");
  const { context: _, ...others } = value;
  // A match and a write have their context.
  return "command" in value && ("kind" in value || "run" in value) ? value : others;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
