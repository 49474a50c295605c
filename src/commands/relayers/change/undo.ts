import { typedAmount, wireAmount } from "../../../contract/amount.ts";
import { idProblem } from "../../../contract/id.ts";
import { asText, type JsonValue, withField, writeJson } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { capLeaps } from "../../../contract/policy/cap-change.ts";
import { type PolicyField, policyFieldCurrency } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { bodyFieldRule, validateBody } from "../../../contract/requests/body-problems.ts";
import { policyValue } from "../../../contract/requests/policy-value.ts";
import { typedPolicySchemas, updateRelayerSchema } from "../../../contract/requests.ts";
import { type SentField, sentFields } from "../../../contract/resources/field.ts";
import { type Relayer, relayerFields } from "../../../contract/resources/relayer.ts";
import type { Undo } from "../../../session/receipt-words.ts";
import { policyAt } from "../../../views/policy-field.ts";
import { rpcUrlFlags } from "../../../views/rpc-url-flags.ts";
import type { Change } from "./change-text.ts";

/** Returns a command that restores everything, or none: a partial restore could look complete. */
export function undoOfRelayer(changes: readonly Change[], relayer: Relayer, symbol?: string): Undo {
  const flags: (readonly string[])[] = [];
  for (const change of changes) {
    const one = undoOne(change, relayer, symbol);
    if ("because" in one) return one;
    flags.push(one.flags);
  }
  return { flags: [...flags.flat(), ...undoConsentFlags(changes)] };
}

/** Returns the consent flags for a cap that changes back a thousandfold; pasting them is the consent. */
export function undoConsentFlags(changes: readonly Change[]): string[] {
  const leaps = changes.some(
    ({ path, requested, was }) => path === "policies.gas_price_cap" && capLeaps(was, requested),
  );
  return leaps ? ["--yes"] : [];
}

function undoOne({ path, was = null }: Change, relayer: Relayer, symbol: string | undefined): Undo {
  if (path === "custom_rpc_urls") return undoUrls(was);
  if (path.startsWith("policies.")) return undoPolicy(path, was, relayer, symbol);
  if (was === "" || (was === null && fieldNamed(path)?.null === "refused"))
    return { because: `${path} was empty, which is not allowed` };
  if (path === "paused") return was === null ? { because: "unknown whether the relayer was paused" } : undoPause(was);
  if (was === null) return { flags: [`--no-${path.replaceAll("_", "-")}`] };
  return undoText(path, was);
}

function fieldNamed(path: string): SentField | undefined {
  return Object.fromEntries(sentFields(relayerFields, "update"))[path];
}

function undoPause(was: JsonValue): Undo {
  if (typeof was !== "boolean") return { because: `paused was ${inShort(was)}` };
  return { flags: [was ? "--paused" : "--no-paused"] };
}

function undoText(path: string, was: JsonValue): Undo {
  const rule = typeof was === "string" && fieldNamed(path)?.refersTo ? idProblem(was) : undefined;
  const broken = rule ?? bodyFieldRule(updateRelayerSchema, path, was);
  if (typeof was !== "string" || broken !== undefined) return { because: `${path} was ${inShort(was)}: ${broken}` };
  const flag = `--${path.replaceAll("_", "-")}`;
  return { flags: was.startsWith("-") ? [`${flag}=${was}`] : [flag, was] };
}

/** Returns the flags for URLs, unless one is masked or must not be printed. */
function undoUrls(was: JsonValue): Undo {
  if (was === null) return { flags: ["--no-rpc-urls"] };
  if (Array.isArray(was) && was.length === 0) return { because: "no flag sets custom_rpc_urls to an empty list" };
  const flags = Array.isArray(was) ? rpcUrlFlags(was) : undefined;
  if (!flags) return { because: "the service masks the previous custom_rpc_urls" };
  const rule = bodyFieldRule(updateRelayerSchema, "custom_rpc_urls", was);
  return rule === undefined ? { flags } : { because: `the previous custom_rpc_urls cannot be sent: ${rule}` };
}

function undoPolicy(path: string, was: JsonValue, relayer: Relayer, symbol: string | undefined): Undo {
  const key = path.slice("policies.".length);
  const because = explainRefusal(key, was, relayer);
  if (because !== undefined) return { because };
  const field = policyAt(path, relayer, symbol);
  if (!field) return { because: `this version does not know the policy ${key}` };
  if (was === null) return { flags: ["--unset-policy", key] };
  const text = typedPolicy(was, field);
  if (!readsBack(key, text, was, field)) return { because: `${key} was ${inShort(was)}, which cannot be typed` };
  return { flags: ["--policy", `${key}=${text}`] };
}

function typedPolicy(was: JsonValue, field: PolicyField): string {
  const amount = field.type === "amount" ? wireAmount(was) : undefined;
  if (field.type === "amount" && amount !== undefined) return typedAmount(amount, policyFieldCurrency(field));
  return field.type === "word" && typeof was === "string" ? was : writeJson(was);
}

function readsBack(key: string, text: string, was: JsonValue, field: PolicyField): boolean {
  const problems = new Problems();
  const read = policyValue(problems, key, text, field) ?? null;
  const amount = wireAmount(was);
  const isSame = field.type === "amount" ? amount !== undefined && read === amount : writeJson(read) === writeJson(was);
  return problems.found.length === 0 && isSame;
}

/** Returns why the current value can't be sent back: the service rejects some values that it has, e.g. "". */
function explainRefusal(key: string, was: JsonValue, { network_type }: Relayer): string | undefined {
  if (was === "") return `${key} was empty, which is not allowed`;
  if (!isNetworkKind(network_type)) return undefined;
  const problems = new Problems();
  validateBody(problems, typedPolicySchemas[network_type], withField({}, key, was), () => key);
  const rule = problems.found[0]?.rule;
  return rule && `${key} was ${was === null ? "unset" : inShort(was)}: ${rule}`;
}

function inShort(value: JsonValue): string {
  return asText(value, 100);
}
