import type { Call } from "../../command-support/call.ts";
import { askConsent } from "../../command-support/consent/consent.ts";
import type { Config } from "../../config/config.ts";
import { addressKey, type Label, labelProblem, labelsOf, withLabels } from "../../config/labels.ts";
import { writeJson } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { RelayctlError } from "../../errors.ts";
import { commandLine } from "../../shell/shell-words.ts";

export interface TypedLabel {
  where: string;
  name: string;
  address: string;
}

export async function validLabelChange(typed: readonly TypedLabel[], problems: Problems): Promise<Label[]> {
  // Checksums need a hash function, which lists do not load.
  const { addressKind } = await import("../../contract/address-kind.ts");
  const seen = new Map<string, string>();
  return typed.flatMap(({ where, name, address }) => {
    const problem = labelProblem(name);
    if (problem) problems.add(where, problem, name);
    const found = addressKind(address);
    if ("problem" in found) problems.add(where, found.problem, address);
    if (problem || "problem" in found) return [];
    const key = `${found.kind} ${name.toLowerCase()}`;
    const earlier = seen.get(key);
    if (earlier !== undefined) problems.add(where, `is set twice for ${found.kind}, as ${earlier} too`, name);
    seen.set(key, name);
    return [{ name, kind: found.kind, address }];
  });
}

export interface LabelChange {
  created: Label[];
  changed: (Label & { before: string })[];
}

/** Returns new labels, and those with new addresses. @throws RelayctlError usage, if labels only differ in case */
function compareLabels(config: Config, wanted: readonly Label[]): LabelChange {
  const all = labelsOf(config);
  const change: LabelChange = { created: [], changed: [] };
  for (const label of wanted) {
    const like = all.find(({ name, kind }) => kind === label.kind && name.toLowerCase() === label.name.toLowerCase());
    if (like && like.name !== label.name)
      throw new RelayctlError("usage", `@${label.name} differs from @${like.name} only in case`, {
        hint: commandLine("label", "delete", like.name),
      });
    if (!like) change.created.push(label);
    else if (addressKey(like.address) !== addressKey(label.address))
      change.changed.push({ ...label, before: like.address });
  }
  return change;
}

/** Asks before a label that payments use gets a new address. @throws RelayctlError declined; conflict */
export async function storeLabelChange(call: Call, wanted: readonly Label[]): Promise<LabelChange> {
  const { app } = call;
  const change = compareLabels(await app.config.read(), wanted);
  await agreeToLabel(call, change);
  await app.config.change((config) => {
    if (!(writeJson({ ...compareLabels(config, wanted) }) === writeJson({ ...change })))
      throw new RelayctlError("conflict", "the labels were changed by another program meanwhile", {
        hint: "relayctl label list",
      });
    const isWanted = (label: Label) => wanted.some(({ name, kind }) => name === label.name && kind === label.kind);
    return withLabels(config, [...labelsOf(config).filter((label) => !isWanted(label)), ...wanted]);
  });
  return change;
}

async function agreeToLabel(call: Call, { changed }: LabelChange): Promise<void> {
  const [first] = changed;
  if (!first) return;
  const lines = changed.map(({ name, before, address }) => ({
    row: ["  ", `@${name}`, "  ", `${before} → ${address}`],
  }));
  const what = changed.length === 1 ? `the address of @${first.name}` : `the addresses of ${changed.length} labels`;
  await askConsent(call, { question: `Change ${what}?`, act: `changing ${what}`, sort: "yes" }, lines);
}
