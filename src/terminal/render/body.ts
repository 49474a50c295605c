import { isJsonObject, JsonSyntaxError, type JsonValue, keysOf, parseJson } from "../../contract/json.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { RelayctlError } from "../../errors.ts";
import type { OutputOptions } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import { parseQuery } from "../select/query.ts";
import { formatFor } from "./one.ts";
import { printRaw } from "./raw.ts";
import { printValue } from "./value.ts";

/** Prints a response as received, or the result of `--query` on it. */
export async function renderBody(body: Uint8Array, options: OutputOptions, out: Printer): Promise<void> {
  if (options.query === undefined) return printRaw(body, out);
  const query = await parseQuery(options.query);
  const { headers } = options;
  await printValue(query(everywhereMasked(jsonOf(body))), { format: formatFor(options, out), headers }, out);
}

function jsonOf(body: Uint8Array): JsonValue {
  try {
    return parseJson(new TextDecoder().decode(body));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new RelayctlError("server", `the response is not JSON, so --query cannot read it: ${error.message}`);
  }
}

/** Masks RPC URLs at any depth, since the response of an unknown operation can contain them anywhere. */
function everywhereMasked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(everywhereMasked);
  if (!isJsonObject(value)) return value;
  return withMaskedRpcUrls(Object.fromEntries(keysOf(value).map((key) => [key, everywhereMasked(value[key] ?? null)])));
}
