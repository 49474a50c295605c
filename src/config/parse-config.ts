import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson, prettyJson } from "../contract/json.ts";
import { usageError } from "../errors.ts";
import { type Config, configShape } from "./config.ts";

/** What a config file holds; an empty config when there is none. The errors name the file and the place, never the content. */
export function parseConfig(text: string | undefined, path: string): Config {
  if (text === undefined) return { version: 1, contexts: {} };
  const value = parsed(text, path);
  const version = isJsonObject(value) ? value.version : undefined;
  if (typeof version === "number" && version > 1)
    throw usageError([{ where: path, rule: "was written by a newer relayctl" }]);
  const place = configShape(value);
  if (place === undefined) return value as Config;
  throw usageError([{ where: path, rule: `is not a relayctl config${place && `: check ${place}`}` }]);
}

export function configText(config: Config): string {
  return `${prettyJson(config)}\n`;
}

function parsed(text: string, path: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw usageError([{ where: path, rule: error.message }]);
    throw error;
  }
}
