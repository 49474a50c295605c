import { typedAmount, wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../../contract/json.ts";
import {
  fieldAt,
  fieldCurrency,
  type PolicyField,
  type PolicyFields,
  policyFieldsOf,
} from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { interviewed, interviewOf } from "../edit/by-prompts.ts";
import { partChoices } from "../edit/interview.ts";
import { partsOf } from "../edit/part.ts";

/** Policies by dotted path, as typed after `--policy`. */
export type PolicyTexts = Readonly<Record<string, string>>;

/** Prompts for the strategy, which a Stellar relayer requires (facts 4.3). */
export async function askStrategy(call: Call): Promise<PolicyTexts> {
  const prompts = await call.app.prompts();
  const strategies = [
    { value: "relayer", name: "relayer: the relayer pays the fees" },
    { value: "user", name: "user: the sender pays, in a token" },
  ];
  return { fee_payment_strategy: await prompts.select("Who pays the fees:", strategies) };
}

/**
 * Prompts for the policies to set and their values, like `relayers edit`.
 * @param keep called with the policies after each input
 */
export async function askPolicies(
  call: Call,
  relayer: Relayer,
  known: PolicyTexts,
  keep: (policies: PolicyTexts) => void,
): Promise<PolicyTexts> {
  const before: Relayer = { ...relayer, policies: { ...known } };
  const symbol = await symbolFor(call, relayer);
  const parts = partsOf(relayer, symbol).filter(({ path }) => path.startsWith("policies."));
  const interview = await interviewOf(call);
  const marked = await interview.prompts.checkbox("Which policies do you want to set?", partChoices(parts, before));
  const fields = policyFieldsOf(relayer.network_type, symbol);
  const texts = ({ policies }: JsonObject) => (isJsonObject(policies) ? textsOf(policies, fields) : known);
  return texts(await interviewed(interview, before, marked, (value) => keep(texts(value))));
}

function textsOf(policies: JsonObject, fields: PolicyFields, prefix = ""): PolicyTexts {
  const texts = Object.entries(policies).flatMap(([key, value]): [string, string][] => {
    if (value === null) return [];
    const path = prefix + key;
    return isJsonObject(value)
      ? Object.entries(textsOf(value, fields, `${path}.`))
      : [[path, typedText(value, fieldAt(fields, path))]];
  });
  return Object.fromEntries(texts);
}

/** Returns a value as typed. An amount keeps its unit: a small price without one would be refused. */
function typedText(value: JsonValue, field: PolicyField | undefined): string {
  const amount = field?.type === "amount" ? wireAmount(value) : undefined;
  if (field?.type === "amount" && amount !== undefined) return typedAmount(amount, fieldCurrency(field));
  return typeof value === "string" ? value : writeJson(value);
}
