import { isUuid } from "../contract/id.ts";
import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from "../contract/network-kind.ts";
import { didYouMean } from "../nearest.ts";
import type { Config } from "./config.ts";

/** A label's address on one kind of network. A type, not an interface, so that the compiler accepts it as JSON. */
export type Label = {
  name: string;
  kind: NetworkKind;
  address: string;
  /** The path of its project file; absent for the config. */
  from?: string;
};

const MAY_BE_ADDRESS = /^[A-Za-z0-9]{32,}$/;

/** Returns why a text cannot be a label, or undefined. No label can be mistaken for an address or a transaction's ID. */
export function labelProblem(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9._-]{0,63}$/.test(name))
    return "a label has 1 to 64 letters, digits, dots, dashes, and underscores, and begins with a letter";
  if (MAY_BE_ADDRESS.test(name)) return "could be an address; choose a shorter name";
  return isUuid(name) ? "could be an ID; choose another name" : undefined;
}

/** Returns a label without the `@` that it may be typed with. */
export function labelName(typed: string): string {
  return typed.startsWith("@") ? typed.slice(1) : typed;
}

export function labelsOf({ labels = {} }: Config): Label[] {
  const all = Object.entries(labels).flatMap(([kind, addresses]) =>
    isNetworkKind(kind) ? Object.entries(addresses).map(([name, address]) => ({ name, kind, address })) : [],
  );
  return all.sort((one, other) =>
    one.name < other.name || (one.name === other.name && one.kind < other.kind) ? -1 : 1,
  );
}

export function withLabels(config: Config, labels: readonly Label[]): Config {
  const { labels: _, ...rest } = config;
  if (labels.length === 0) return rest;
  const byKind = NETWORK_KINDS.flatMap((kind) => {
    const own = labels.filter((label) => label.kind === kind).map(({ name, address }) => [name, address] as const);
    return own.length === 0 ? [] : [[kind, Object.fromEntries(own)] as const];
  });
  return { ...rest, labels: Object.fromEntries(byKind) };
}

/** Returns the same form for equal addresses: the case of hex only has its checksum. */
export function addressKey(address: string): string {
  return /^0x/i.test(address) ? address.toLowerCase() : address;
}

/** Returns the command that helps after a label that does not exist. */
export function labelHint(all: readonly Label[]): string {
  return all.length === 0 ? "relayctl label set --help" : "relayctl label list";
}

export const NO_LABELS = { rule: "is a label, and the library knows none; use its address" };

export function unknownLabel(typed: string, all: readonly Label[]): string {
  const names = [...new Set(all.map(({ name }) => `@${name}`))];
  return names.length === 0 ? "there are no labels yet" : `unknown label${didYouMean([typed], names)}`;
}
