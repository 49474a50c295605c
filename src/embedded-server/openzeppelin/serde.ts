import {
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NumberLiteral,
  writeJson,
} from "../../contract/json.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { undefinedOnError } from "../../errors.ts";
import { handlerJsonBody } from "../handler.ts";
import { malformedBody } from "../refusal.ts";

/** Why a value does not have the shape: the words of the service's parser, and the dotted path. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
  /** Keys from the top; empty for the whole value. */
  readonly path: readonly string[];
  /** Whether the error is about the key, not about its value. */
  readonly isKey: boolean;

  constructor(message: string, path: readonly string[] = [], isKey = false) {
    super(message);
    this.path = path;
    this.isKey = isKey;
  }
}

/** Reads a value like the service's typed structures. @throws ShapeError */
export type Read<T> = (value: JsonValue) => T;

export const serdeText: Read<string> = (value) => {
  if (typeof value !== "string") throw serdeUnexpectedType(value, "a string");
  return value;
};

export const serdeFlag: Read<boolean> = (value) => {
  if (typeof value !== "boolean") throw serdeUnexpectedType(value, "a boolean");
  return value;
};

/** Reads a JSON integer, which is a float above 2^64 − 1 (facts 5.3). */
export function serdeInt(type: string, most: bigint): Read<number | bigint> {
  return (value) => {
    if (!isJsonInteger(value) || isFloat(value)) throw serdeUnexpectedType(value, type);
    if (value < 0 || value > most) throw new ShapeError(`invalid value: integer \`${value}\`, expected ${type}`);
    return value;
  };
}

/** Returns the words of the service's parser for a text that is not an integer from 0 up to the largest. */
export function serdeDigitsFault(text: string, most: bigint): string | undefined {
  if (text === "") return "cannot parse integer from empty string";
  if (!/^[0-9]+$/.test(text)) return "invalid digit found in string";
  return BigInt(text) > most ? "number too large to fit in target type" : undefined;
}

/** Reads a value or null, which counts as absent. */
export function serdeOptional<T>(read: Read<T>): Read<T | undefined> {
  return (value) => (value === null ? undefined : read(value));
}

export function serdeList<T>(read: Read<T>): Read<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw serdeUnexpectedType(value, "a sequence");
    return value.map((item, index) => readBelow(String(index), () => read(item)));
  };
}

export function serdeOneOf<const T extends string>(words: readonly T[]): Read<T> {
  return (value) => {
    const found = words.find((word) => word === serdeText(value));
    if (found === undefined) throw new ShapeError(`unknown variant \`${value}\`, expected ${choiceText(words)}`);
    return found;
  };
}

/** Reads the first of these shapes that fits, like the service's parser of an enum without a tag. */
export function serdeAnyOf<T>(name: string, reads: readonly Read<T>[]): Read<T> {
  return (value) => {
    const read = reads.find((each) => serdeFits(each, value));
    if (!read) throw new ShapeError(`data did not match any variant of untagged enum ${name}`);
    return read(value);
  };
}

export function serdeAsSent<T extends JsonValue = JsonValue>(read: Read<unknown>): Read<T> {
  return (value) => {
    read(value);
    return value as T;
  };
}

export function serdeReading<T>(read: () => T, refusal: (error: ShapeError) => Error): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ShapeError ? refusal(error) : error;
  }
}

export function serdeFits(read: Read<unknown>, value: JsonValue): boolean {
  return undefinedOnError(ShapeError, () => ({ found: read(value) })) !== undefined;
}

type Fields = Readonly<Record<string, Read<unknown>>>;
export type Struct<F extends Fields> = { [K in keyof F]?: Exclude<ReturnType<F[K]>, undefined> };

/** Reads an object with only these fields; those that can't be null are required. */
export function serdeStruct<F extends Fields>(name: string, fields: F, isStrict = true): Read<Struct<F>> {
  const names = Object.keys(fields);
  const required = names.filter((key) => !serdeFits(fields[key] as Read<unknown>, null));
  return (value) => {
    if (Array.isArray(value)) {
      throw new ShapeError(`invalid length ${value.length}, expected struct ${name} with ${names.length} elements`);
    }
    if (!isJsonObject(value)) throw serdeUnexpectedType(value, `struct ${name}`);
    const unknown = isStrict ? Object.keys(value).find((key) => !names.includes(key)) : undefined;
    if (unknown !== undefined) {
      throw new ShapeError(`unknown field \`${unknown}\`, expected ${choiceText(names)}`, [unknown], true);
    }
    const missing = required.find((key) => value[key] === undefined);
    const found = structParts(value, fields);
    if (missing !== undefined) throw new ShapeError(`missing field \`${missing}\``);
    return found;
  };
}

export function serdeLoose<F extends Fields>(name: string, fields: F): Read<Struct<F>> {
  return serdeStruct(name, fields, false);
}

function structParts<F extends Fields>(value: JsonObject, fields: F): Struct<F> {
  const given = Object.entries(fields).flatMap(([key, read]) => {
    const field = value[key];
    const found = field === undefined ? undefined : readBelow(key, () => read(field));
    return found === undefined ? [] : [[key, found]];
  });
  return Object.fromEntries(given) as Struct<F>;
}

function readBelow<T>(key: string, read: () => T): T {
  return serdeReading(read, (error) => new ShapeError(error.message, [key, ...error.path], error.isKey));
}

export function serdeUnexpectedType(value: JsonValue, expected: string): ShapeError {
  return new ShapeError(`invalid type: ${kindText(value)}, expected ${expected}`);
}

function kindText(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "sequence";
  if (typeof value === "boolean") return `boolean \`${value}\``;
  if (typeof value === "string") return `string ${writeJson(value)}`;
  if (typeof value === "object" && !(value instanceof NumberLiteral)) return "map";
  return isFloat(value) ? `floating point \`${floatText(Number(String(value)))}\`` : `integer \`${value}\``;
}

const MOST = 2n ** 64n - 1n;

function isFloat(value: number | bigint | NumberLiteral): boolean {
  return value instanceof NumberLiteral || !isJsonInteger(value) || value > MOST || value < -(2n ** 63n);
}

function floatText(number: number): string {
  if (Math.abs(number) >= 1e16) return number.toExponential();
  return Number.isInteger(number) ? number.toFixed(1) : String(number);
}

function choiceText(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  if (quoted.length === 2) return quoted.join(" or ");
  return quoted.length > 2 ? `one of ${quoted.join(", ")}` : quoted.join("");
}

/** Reads a typed endpoint's body; an error is a text with its position (facts 1.8). @throws Refusal */
export function serdeBody<T>(request: WireRequest, read: Read<T>): T {
  const value = handlerJsonBody(request);
  return serdeReading(
    () => read(value),
    (error) => {
      const { line, column } = refusedAt(request.body ?? "", error);
      return malformedBody(`Json deserialize error: ${error.message} at line ${line} column ${column}`);
    },
  );
}

/** Returns where the service refuses: the end of the key or value, or of the body for a missing field. */
function refusedAt(body: string, { path: [key], isKey }: ShapeError): { line: number; column: number } {
  const text = body.trimEnd();
  const before = key === undefined ? text : text.slice(0, endOfField(text, key, isKey));
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") - 1 };
}

function endOfField(text: string, key: string, isKey: boolean): number {
  const at = text.indexOf(`"${key}"`);
  const end = at + key.length + 2;
  if (at < 0 || isKey) return at < 0 ? text.length : end;
  const [value = ""] = /^\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^,}\]\s]+)/.exec(text.slice(end)) ?? [];
  return end + value.length;
}
