import type { App } from "../app.ts";
import type { Config } from "../config/config.ts";
import { addressKey, type Label, labelHint, labelName, labelsOf, unknownLabel } from "../config/labels.ts";
import type { NetworkKind } from "../contract/network-kind.ts";
import type { Problems } from "../contract/problems.ts";

const NETWORKS: Record<NetworkKind, string> = { evm: "EVM", solana: "Solana", stellar: "Stellar" };

interface LabelWorld extends Pick<App, "project"> {
  config: Pick<App["config"], "read">;
}

export async function readLabels({ config, project }: LabelWorld): Promise<Label[]> {
  const { labels = [] } = (await project?.()) ?? {};
  return mergedLabels(await config.read(), labels);
}

export function mergedLabels(config: Config | undefined, labels: readonly Label[]): Label[] {
  const own = config ? labelsOf(config) : [];
  return [...own, ...labels.filter((label) => !own.some((each) => isSame(each, label)))];
}

function isSame(one: Label, other: Label): boolean {
  return one.name === other.name && one.kind === other.kind && addressKey(one.address) === addressKey(other.address);
}

/** Returns the config's or the project file's label that has another address in the other one. */
export function conflictingLabel(all: readonly Label[], { name, kind, address, from }: Label): Label | undefined {
  return all.find(
    (other) =>
      other.from !== from &&
      other.kind === kind &&
      other.name.toLowerCase() === name.toLowerCase() &&
      addressKey(other.address) !== addressKey(address),
  );
}

export function labelConflict(all: readonly Label[], label: Label): string | undefined {
  const rival = conflictingLabel(all, label);
  const shown = ({ name, address, from = "config.json" }: Label) => `@${name} is ${address} in ${from}`;
  return (
    rival && `has two addresses: ${shown(label)}, and ${shown(rival)}; use the address, or remove one of the labels`
  );
}

export async function labeledAddress(
  app: LabelWorld,
  problems: Problems,
  { where, kind }: { where: string; kind: NetworkKind },
  text: string,
): Promise<string> {
  const all = await readLabels(app);
  const found = addressInLabels(all, kind, text);
  if (!text.startsWith("@")) {
    if ("address" in found) problems.add(where, `is a label; write @${text} for its address`, text);
    return text;
  }
  if ("address" in found) return found.address;
  problems.add(where, found.rule, text);
  problems.hint = labelHint(all);
  return text;
}

export function addressInLabels(all: readonly Label[], kind: NetworkKind, typed: string) {
  const found = all.filter(({ name }) => name === labelName(typed));
  const label = found.find((each) => each.kind === kind);
  const problem = label && labelConflict(all, label);
  if (problem !== undefined) return { rule: problem };
  if (label) return { address: label.address };
  return { rule: found.length > 0 ? otherKind(found, kind) : unknownLabel(typed, all) };
}

/** Returns an entry of a typed list with its label's address, even an issuer's: `USDC:@circle`. */
export function listedLabelAddress(all: readonly Label[], kind: NetworkKind, typed: string) {
  const at = typed.indexOf("@");
  const found = at < 0 ? { address: typed } : addressInLabels(all, kind, typed.slice(at));
  return "rule" in found ? found : { address: typed.slice(0, Math.max(0, at)) + found.address };
}

export async function addressOfLabel(
  app: LabelWorld,
  problems: Problems,
  where: string,
  typed: string,
): Promise<string> {
  const all = await readLabels(app);
  const [label, ...others] = all.filter(({ name }) => name === labelName(typed));
  const rivals = label && labelConflict(all, label);
  if (label && others.length === 0 && rivals === undefined) return label.address;
  const several = label ? "is a label on several network types; specify the address" : unknownLabel(typed, all);
  problems.add(where, rivals ?? several, typed);
  problems.hint = labelHint(all);
  return typed;
}

function otherKind(found: readonly Label[], kind: NetworkKind): string {
  const kinds = found.map((label) => NETWORKS[label.kind]).join(" and ");
  return `is a label on ${kinds}, and this needs an address on ${NETWORKS[kind]}`;
}

/** Returns a function from an address to the labels that it has: `@treasury`, or `@hot, @payouts`. */
export function labelsByAddress(labels: readonly Label[]): (address: string) => string | undefined {
  const names = new Map<string, string>();
  for (const { name, address } of labels) {
    const earlier = names.get(addressKey(address));
    names.set(addressKey(address), earlier === undefined ? `@${name}` : `${earlier}, @${name}`);
  }
  return (address) => names.get(addressKey(address));
}
