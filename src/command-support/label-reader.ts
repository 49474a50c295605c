import type { Config } from "../config/config.ts";
import { comparable, labelsOf } from "../config/labels.ts";

/** Returns a function from an address to the labels that it has: `@treasury`, or `@hot, @payouts`. */
export function labelReader(config: Config): (address: string) => string | undefined {
  const names = new Map<string, string>();
  for (const { name, address } of labelsOf(config)) {
    const earlier = names.get(comparable(address));
    names.set(comparable(address), earlier === undefined ? `@${name}` : `${earlier}, @${name}`);
  }
  return (address) => names.get(comparable(address));
}
