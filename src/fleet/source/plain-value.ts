import { type JsonValue, parseJson } from "../../contract/json.ts";

/** An unquoted value that YAML parsers read differently, or without an exact value. */
export class UnclearValue extends Error {
  override readonly name = "UnclearValue";
}

const WORDS: Readonly<Record<string, JsonValue>> = {
  ...{ "": null, "~": null, null: null, Null: null, NULL: null },
  ...{ true: true, True: true, TRUE: true, false: false, False: false, FALSE: false },
};

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Numbers in YAML 1.2 that aren't numbers in JSON: `+1`, `010`, `.5`, `0o17`, `.inf`. */
const OTHER_NUMBERS = [
  /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/,
  /^0o[0-7]+$/,
  /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
];

/** Returns the value of an unquoted YAML text, with every digit; `0x…` stays a text. @throws UnclearValue */
export function plainValue(text: string): JsonValue {
  const word = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
  if (word !== undefined) return word;
  if (NUMBER.test(text)) return parseJson(text);
  if (!OTHER_NUMBERS.some((pattern) => pattern.test(text))) return text;
  throw new UnclearValue(
    "a number that JSON does not have; write it as in JSON, e.g. 10 or 0.5, or put a text in quotes",
  );
}
