import type { Decoded } from "./decode.ts";
import type { AbiParameter, AbiType, AbiValue } from "./type.ts";

/** The most shown characters of a text, digits of bytes, and items of a list; numbers and addresses are whole. */
const MOST_CHARACTERS = 200;
const MOST_DIGITS = 130;
const MOST_ITEMS = 16;

/** Replaces a value in the text, e.g. bytes of an inner call; undefined leaves it. */
export type Replace = (value: AbiValue, path: readonly number[]) => string | undefined;

/** Returns a call or an error on one safe line: `transfer(to 0x3c44…, amount 25)`. */
export function decodedText(
  { item, args }: Pick<Decoded, "item" | "args">,
  replace: Replace = () => undefined,
): string {
  return `${item.name}(${membersText(item.inputs, args, [], replace)})`;
}

function membersText(
  members: readonly AbiParameter[],
  values: readonly AbiValue[],
  path: readonly number[],
  replace: Replace,
): string {
  const texts = members.map(({ name, type }, index) => {
    const text = valueText(type, values[index] ?? "", [...path, index], replace);
    return name === "" ? text : `${visibleText(name)} ${text}`;
  });
  return texts.join(", ");
}

function valueText(
  type: AbiType,
  value: AbiValue,
  path: readonly number[] = [],
  replace: Replace = () => undefined,
): string {
  const instead = replace(value, path);
  if (instead !== undefined) return instead;
  if (typeof value === "object") {
    if (type.kind === "tuple") return `(${membersText(type.members, value, path, replace)})`;
    const item = type.kind === "array" ? type.item : type;
    const shown = value.slice(0, MOST_ITEMS).map((each, index) => valueText(item, each, [...path, index], replace));
    return `[${[...shown, ...(value.length > MOST_ITEMS ? [`… ${value.length - MOST_ITEMS} more`] : [])].join(", ")}]`;
  }
  if (type.kind === "string") return quoted(String(value));
  if (type.kind === "bytes") return bytesText(String(value));
  return String(value);
}

function quoted(text: string): string {
  const shown = [...text.slice(0, MOST_CHARACTERS)].join("");
  const rest = text.length - shown.length;
  return `"${visibleText(shown)}"${rest > 0 ? `… ${rest} characters more` : ""}`;
}

function bytesText(hex: string): string {
  if (hex.length <= MOST_DIGITS) return hex;
  return `${hex.slice(0, MOST_DIGITS)}… ${(hex.length - 2) / 2} bytes`;
}

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}"\\]/gu;

function visibleText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
