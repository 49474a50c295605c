import { typedForm } from "../../../commands/relayers/edit/read-answer.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import { fieldAt, fieldCurrency, fieldPaths, type PolicyField, policyFields } from "../../../contract/policy.ts";
import { showAmount } from "../../../terminal/amount-text.ts";
import { type Row, sectionOf, textOf } from "../block.ts";
import type { TopicPage } from "../topic.ts";

const TITLES: Record<NetworkKind, string> = { evm: "EVM", solana: "Solana", stellar: "Stellar" };

const EXAMPLES = [
  "relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei",
  "relayctl relayers update sol-pay --policy swap_config.strategy=noop",
  "relayctl relayers update xlm-treasury --policy max_fee=0.1xlm --dry-run",
];

/** `relayctl help policies` */
export const policiesPage: TopicPage = () => [
  textOf(
    "A relayer has the policies of its kind of network. relayers update sets one with --policy KEY=VALUE and clears it " +
      "with --unset-policy KEY; relayers edit asks for them. Those that are not named stay as they are.",
  ),
  textOf(
    "An amount takes a unit, and the coin is the network's own: 1pol on Polygon. A number without a unit is in the smallest " +
      "one; a gas_price_cap below 1 gwei needs its unit (80wei), except in a file. A gas_price_cap that falls or rises a " +
      "thousandfold is asked about (--yes).",
  ),
  ...NETWORK_KINDS.map((kind) => sectionOf(TITLES[kind], rowsOf(kind))),
  { kind: "code", heading: "Examples", lines: EXAMPLES },
];

function rowsOf(kind: NetworkKind): Row[] {
  const fields = policyFields[kind];
  return fieldPaths(fields).flatMap((term) => {
    const field = fieldAt(fields, term);
    return !field || field.type === "object" ? [] : [{ term, text: wordsOf(field) }];
  });
}

function wordsOf(field: PolicyField): string {
  const meaning = unsetMeaning(field);
  return meaning === undefined ? valueWords(field) : `${valueWords(field)}; unset: ${meaning}`;
}

function unsetMeaning(field: PolicyField): string | undefined {
  if (!("default" in field) || field.default === undefined) return field.unset;
  return field.type === "amount" ? showAmount(field.default, fieldCurrency(field)) : String(field.default);
}

const MOST_TOLD = 65_535n;

/** What its value is, in a few words. */
function valueWords(field: PolicyField): string {
  switch (field.type) {
    case "flag":
      return "true or false";
    case "amount":
      return `an amount ${typedForm(field)}`;
    case "integer":
      return field.most > MOST_TOLD ? "a whole number" : `a whole number up to ${field.most}`;
    case "decimal":
      return field.most === undefined ? "a number" : `a number up to ${field.most}`;
    case "word":
      return field.words?.join(" or ") ?? field.form?.rule ?? "a text";
    case "list":
      return `${field.rule}, as JSON`;
    default:
      return "as JSON";
  }
}
