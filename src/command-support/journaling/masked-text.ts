import { isJsonObject, type JsonValue, parseJson, writeJson } from "../../contract/json.ts";
import { maskRpcUrl } from "../../contract/rpc-url.ts";
import { withSecrets } from "../../contract/secret-fields.ts";

const URL_IN_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`,;)\]}]+/gi;

/** Returns a text with the path of each URL masked, which often contains a key. */
export function withoutUrlPaths(text: string): string {
  return text.replace(URL_IN_TEXT, maskRpcUrl);
}

/** Returns a word of a command line without the secrets that it may contain: of URLs, and of a JSON body. */
export function maskedWord(word: string): string {
  const body = /^\s*\{/.test(word) ? parsed(word) : undefined;
  return withoutUrlPaths(isJsonObject(body) ? writeJson(withSecrets(body, () => "***")) : word);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
