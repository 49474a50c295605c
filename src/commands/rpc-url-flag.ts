import type { JsonObject } from "../contract/json.ts";
import type { Problems } from "../flow/problems.ts";

/** `--rpc-url URL[,weight=N]`, given once for each entry of the list. */
export function parseRpcUrl(problems: Problems, text: string, mostWeight = 100): JsonObject {
  const [, url = text, weight] = /^(.*?)(?:,weight=(.*))?$/s.exec(text) ?? [];
  const other = /,([a-z_]+)=[^,/]*$/i.exec(url)?.[1];
  if (other) problems.add("--rpc-url", "only ,weight=N can follow the URL", `,${other}=`);
  if (weight === undefined) return { url };
  if (/^[0-9]+$/.test(weight)) return { url, weight: BigInt(weight) };
  problems.add("--rpc-url", `its weight is a whole number from 0 to ${mostWeight}`, weight);
  return { url };
}

/** `custom_rpc_urls.1.weight` is of the second `--rpc-url`. */
export function rpcUrlPlace(path: string): string | undefined {
  const [, index, member] = /^(?:custom_)?rpc_urls\.(\d+)\.(\w+)$/.exec(path) ?? [];
  return index && `--rpc-url (${Number(index) + 1}, ${member})`;
}
