import type { App } from "../app.ts";
import type { Config } from "../config/config.ts";
import { comparable, type Label, labelHint, labelName, labelsOf, unknownLabel } from "../config/labels.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import type { Problems } from "../contract/problems.ts";

const NETWORKS: Record<NetworkKind, string> = { evm: "EVM", solana: "Solana", stellar: "Stellar" };

/** Returns the address of a label that is typed as `@name`, or the text itself, with a problem if there is none. */
export async function labelledAddress(
  app: Pick<App, "config">,
  problems: Problems,
  { where, kind }: { where: string; kind: NetworkKind },
  text: string,
): Promise<string> {
  const all = labelsOf(await app.config.read());
  const found = addressIn(all, kind, text);
  if (!text.startsWith("@")) {
    if ("address" in found) problems.add(where, `is a label; write @${text} for its address`, text);
    return text;
  }
  if ("address" in found) return found.address;
  problems.add(where, found.rule, text);
  problems.hint = labelHint(all);
  return text;
}

export function addressIn(
  all: readonly Label[],
  kind: NetworkKind,
  typed: string,
): { address: string } | { rule: string } {
  const found = all.filter(({ name }) => name === labelName(typed));
  const label = found.find((each) => each.kind === kind);
  if (label) return { address: label.address };
  return { rule: found.length > 0 ? otherKind(found, kind) : unknownLabel(typed, all) };
}

/** Returns what is typed in a list of addresses, with the address of a label, also as an issuer: `USDC:@circle`. */
export function listedAddress(all: readonly Label[], kind: NetworkKind, typed: string) {
  const at = typed.indexOf("@");
  const found = at < 0 ? { address: typed } : addressIn(all, kind, typed.slice(at));
  return "rule" in found ? found : { address: typed.slice(0, Math.max(0, at)) + found.address };
}

/** Returns the address of a label on whichever kind of network; with a problem if there is none, or several. */
export async function addressOfLabel(
  app: Pick<App, "config">,
  problems: Problems,
  where: string,
  typed: string,
): Promise<string> {
  const all = labelsOf(await app.config.read());
  const [label, ...others] = all.filter(({ name }) => name === labelName(typed));
  if (label && others.length === 0) return label.address;
  problems.add(
    where,
    label ? "is a label on several kinds of network; specify the address" : unknownLabel(typed, all),
    typed,
  );
  problems.hint = labelHint(all);
  return typed;
}

function otherKind(found: readonly Label[], kind: NetworkKind): string {
  const kinds = found.map((label) => NETWORKS[label.kind]).join(" and ");
  return `is a label on ${kinds}, and this needs an address on ${NETWORKS[kind]}`;
}

/** Returns a function from an address to the labels that it has: `@treasury`, or `@hot, @payouts`. */
export function labelsByAddress(config: Config): (address: string) => string | undefined {
  const names = new Map<string, string>();
  for (const { name, address } of labelsOf(config)) {
    const earlier = names.get(comparable(address));
    names.set(comparable(address), earlier === undefined ? `@${name}` : `${earlier}, @${name}`);
  }
  return (address) => names.get(comparable(address));
}
