import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { SIGNER_TYPES, type SignerField, signerFields } from "../../contract/resources/signer.ts";
import { isSecretFieldPath } from "../../contract/secret-fields.ts";
import type { DesiredResource } from "../desired.ts";
import { hiddenIn, hiddenText } from "../hidden.ts";
import { byText, canonicalText } from "./canonical-json.ts";
import { type Comparison, reasons } from "./findings.ts";

const REASON = "the service does not change signers: delete and create the signer";

interface ConfigLeaf {
  path: string;
  value: JsonValue;
}

/** Compares a signer of a file with the service's, which can't change and never includes secrets (facts 8.1). */
export async function compareSigner({ desired, live, findings, known }: Comparison): Promise<void> {
  const [after, before] = [comparedSignerType(desired.fields.type), comparedSignerType(live.type)];
  if (before === null) findings.unknown("type", reasons.notReturned);
  else if (after !== before) {
    // The configs of two types have nothing in common.
    return findings.impossible("type", { before, after, reason: REASON });
  }
  const returned = new Map(comparedSignerConfig(live).map(({ path, value }) => [path, value]));
  const wanted = comparedSignerConfig(desired.fields);
  const paths = new Set([...wanted.map(({ path }) => path), ...returned.keys()]);
  const values = new Map(wanted.map(({ path, value }) => [path, value]));
  for (const path of [...paths].sort(byText)) {
    const value = values.get(path) ?? null;
    const found = returned.get(path);
    // A newer service may return members that this version does not know.
    if (value === null && !isKnown(desired, path)) continue;
    if (isSecret(desired, path) || hiddenIn(value) !== undefined || (found === undefined && value !== null)) {
      await compareHidden({ desired, findings, known }, path, value);
    } else if (canonicalText(value) !== canonicalText(found)) {
      findings.impossible(path, { before: found ?? null, after: shown(desired, path, value), reason: REASON });
    }
  }
}

/** Returns the type in a response's spelling: `plain` is returned as `local` (facts 8.1). */
export function comparedSignerType(type: JsonValue | undefined): JsonValue {
  return type === "plain" ? "local" : (type ?? null);
}

export function comparedSignerConfig({ config }: JsonObject): readonly ConfigLeaf[] {
  return isJsonObject(config) ? listLeaves(config, "config") : [];
}

function listLeaves(object: JsonObject, at: string): ConfigLeaf[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = `${at}.${name}`;
    return isJsonObject(value) ? listLeaves(value, path) : [{ path, value }];
  });
}

function isKnown({ fields: { type } }: DesiredResource, path: string): boolean {
  const known = SIGNER_TYPES.find((one) => one === type);
  if (!known) return true;
  let fields: readonly SignerField[] | undefined = signerFields[known];
  for (const name of path.split(".").slice(1)) {
    const field: SignerField | undefined = fields?.find((one) => one.name === name);
    if (!field) return false;
    fields = field.fields;
  }
  return true;
}

async function compareHidden(
  { desired, findings, known }: Pick<Comparison, "desired" | "findings" | "known">,
  path: string,
  value: JsonValue,
): Promise<void> {
  if (typeof value !== "string" || hiddenIn(value) !== undefined) {
    if (value !== null) findings.unknown(path, typeof value === "string" ? reasons.leftOut : reasons.neverReturned);
    return;
  }
  const isLastApplied = isSecret(desired, path) ? await known.lastApplied("signers", desired.id, path) : undefined;
  if (!isLastApplied) findings.unknown(path, reasons.neverReturned);
  else if (!(await isLastApplied(value)))
    findings.impossible(path, {
      before: hiddenText(path.slice(path.lastIndexOf(".") + 1)),
      after: shown(desired, path, value),
      reason: REASON,
    });
}

/** `config.key` is the secret of a plain signer, and an object without secrets in others (facts 8.1). */
function isSecret({ fields: { type }, references }: DesiredResource, path: string): boolean {
  if (isSecretFieldPath(path) || (type === "local" && path === "config.passphrase")) return true;
  const isKnownType = type === "local" || SIGNER_TYPES.some((known) => known === type);
  return !isKnownType && [...references.keys()].some((each) => each === path || each.startsWith(`${path}.`));
}

function shown({ references }: DesiredResource, path: string, value: JsonValue): JsonValue {
  return references.get(path) ?? value;
}
