import { fieldAmountExample } from "../../../commands/relayers/edit/read-field-text.ts";
import { LEAST_BARE_GWEI } from "../../../contract/amount.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import {
  type AmountField,
  type PolicyField,
  policyFieldAt,
  policyFieldCurrency,
  policyFieldPaths,
  policyFields,
} from "../../../contract/policy.ts";
import { showAmount } from "../../../views/policy-field.ts";
import { helpSection, helpText, type Row, type TopicPage } from "../block.ts";

const TITLES: Record<NetworkKind, string> = { evm: "EVM", solana: "Solana", stellar: "Stellar" };

const EXAMPLES = [
  "relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei",
  "relayctl relayers update sol-pay --policy swap_config.strategy=noop",
  "relayctl relayers update xlm-treasury --policy max_fee=0.1xlm --dry-run",
];

export const policiesPage: TopicPage = () => [
  helpText(
    "A relayer has the policies of its network's kind. `relayctl relayers update` sets a policy with --policy KEY=VALUE and " +
      "clears it with --unset-policy KEY; `relayctl relayers edit` prompts for policies. Policies that you do not specify stay " +
      "as they are.",
  ),
  helpText(
    "An amount takes a unit; the coin is the network's own, e.g. 1pol on Polygon. A number without a unit is in the " +
      `smallest unit. A gas_price_cap below ${LEAST_BARE_GWEI} gwei requires its unit (80wei), except in a file. A gas_price_cap that rises ` +
      "or falls a thousandfold requires confirmation (--yes).",
  ),
  ...NETWORK_KINDS.map((kind) => helpSection(TITLES[kind], policyRows(kind))),
  { kind: "code", heading: "Examples", lines: EXAMPLES },
];

function policyRows(kind: NetworkKind): Row[] {
  const fields = policyFields[kind];
  return policyFieldPaths(fields).flatMap((term) => {
    const field = policyFieldAt(fields, term);
    return !field || field.type === "object" ? [] : [{ term, text: fieldWords(field) }];
  });
}

function fieldWords(field: PolicyField): string {
  const unset = unsetWords(field);
  return unset === undefined ? valueWords(field) : `${valueWords(field)} (${unset})`;
}

function unsetWords(field: PolicyField): string | undefined {
  if (!("default" in field) || field.default === undefined) return field.unset && `not set: ${field.unset}`;
  return `default: ${field.type === "amount" ? defaultAmount(field, field.default) : field.default}`;
}

/** Returns `0.1 XLM, 1000000 stroops` */
function defaultAmount(field: AmountField, amount: bigint): string {
  return showAmount(amount, policyFieldCurrency(field)).replace(/ \((\d+)\)$/, `, $1 ${field.unit}s`);
}

const LARGEST_SHOWN = 65_535n;

function valueWords(field: PolicyField): string {
  switch (field.type) {
    case "flag":
      return "true or false";
    case "amount":
      return `Amount with a unit, e.g. ${fieldAmountExample(field)}`;
    case "integer":
      return field.most > LARGEST_SHOWN ? "Whole number" : `Whole number up to ${field.most}`;
    case "decimal":
      return field.most === undefined ? "Number" : `Number up to ${field.most}`;
    case "word":
      return (field.words && `One of ${field.words.join(", ")}`) ?? field.form?.rule ?? "Text";
    case "list":
      return `${field.rule.replace("a list", "List")}, as JSON`;
    default:
      return "As JSON";
  }
}
