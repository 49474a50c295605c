import type { ScalarTag } from "yaml";
import { isJsonObject, type JsonValue, keysOf, NumberLiteral } from "../../contract/json.ts";
import { isVisible, visibleYaml } from "../escape.ts";
import { isResolved, withoutUnprintable } from "./yaml-scalar.ts";

type Library = typeof import("yaml");

/** A number that keeps the text of its literal. */
const NUMBER_LITERAL: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => value instanceof NumberLiteral,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/**
 * Returns a value as YAML 1.2. Numbers keep every digit. Texts that a parser of YAML 1.1 or 1.2 would interpret as
 * another type are quoted, and so are texts of several lines or with characters that act on a terminal.
 */
export async function yamlText(value: JsonValue): Promise<string> {
  const library = await import("yaml");
  const document = library.stringify(prepared(value, library), {
    compat: "yaml-1.1",
    customTags: [NUMBER_LITERAL],
    lineWidth: 0,
  });
  return withoutUnprintable(visibleYaml(document));
}

/** Prepares a value for the library: maps keep their order, and texts that must be quoted are marked. */
function prepared(value: JsonValue, library: Library): unknown {
  if (typeof value === "string") return preparedText(value, library);
  if (Array.isArray(value)) return value.map((item) => prepared(item, library));
  if (!isJsonObject(value)) return value;
  return new Map(keysOf(value).map((key) => [preparedText(key, library), prepared(value[key] ?? null, library)]));
}

function preparedText(text: string, library: Library): unknown {
  if (isVisible(text) && !isResolved(text)) return text;
  const scalar = new library.Scalar(text);
  scalar.type = "QUOTE_DOUBLE";
  return scalar;
}
