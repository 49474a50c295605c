import { currencyOf, formatAmount, isEvmSymbol, knownSymbol, wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { policyFieldCurrency } from "../../contract/policy.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { PRICES } from "../../contract/transaction/transaction.ts";
import type { Journal, RecordedWrite } from "../../journal/journal.ts";
import { leafPaths, pathValueText, valueAtPath } from "../../terminal/select/path.ts";
import { entryCountText, policyAt } from "../policy-field.ts";
import { bodyCurrencyAt } from "../transaction/body-rows.ts";

export async function changesPaymentCoin(journal: Journal, { intent }: RecordedWrite): Promise<string | undefined> {
  if (!intent.payment) return undefined;
  const entries = await journal.find(intent.run);
  return entries.flatMap((entry) => (entry.type === "intent" && entry.payments?.coin) || [])[0];
}

export type MemberText = (path: string, value: JsonValue | undefined) => string;

/** Returns how a member of a write is shown: amounts in the coin, prices per gas in gwei. @param coin if it is recorded */
export function createChangesMemberText({ intent, outcome }: RecordedWrite, coin?: string): MemberText {
  const known = { ...outcome?.after, ...intent.before } as Relayer;
  const typed = /--value[= ]['"]?[\d.]+ ?([a-z]+)/i.exec(String(intent.command))?.[1]?.toUpperCase();
  const symbol = coin ?? intent.coin ?? knownSymbol(known.network) ?? (isEvmSymbol(typed) ? typed : undefined);
  return (path, value) => {
    const field = policyAt(path, known, symbol);
    const evm = currencyOf("evm", symbol);
    const amount = wireAmount(value);
    const currency =
      field?.type === "amount"
        ? policyFieldCurrency(field, amount)
        : bodyCurrencyAt(path === "fee_paid" ? "value" : path, evm);
    if (currency && amount !== undefined) return formatAmount(amount, currency);
    return value === undefined || value === null ? "not set" : pathValueText(value);
  };
}

/** Returns a run's changes in one line: `80 → 120 gwei`, `20 payments, 0.021 ETH`. */
export function changesText(writes: readonly RecordedWrite[], coin: string | undefined): string {
  const changes = writes.map((write) => writeChanges(write, coin));
  const texts = new Set(changes.map((each) => each.map(({ text }) => text).join(", ")));
  const [only = ""] = texts;
  const [first] = writes;
  if (first && writes.every(({ intent }) => intent.operation === "tx.send")) {
    const values = writes.map(({ intent: { body } }) => (isJsonObject(body) ? (wireAmount(body.value) ?? 0n) : 0n));
    const sum = createChangesMemberText(first, coin)(
      "value",
      values.reduce((all, value) => all + value, 0n),
    );
    if (first.intent.payment) return `${writes.length} payment${writes.length === 1 ? "" : "s"}, ${sum}`;
    if (writes.length > 1) return `${writes.length} transactions, ${sum}`;
  }
  if (texts.size === 1) return only;
  const counts = new Map<string, number>();
  for (const { label } of changes.flat()) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([label, count]) => `${label} (${count})`).join(", ");
}

interface Change {
  label: string;
  text: string;
}

function writeChanges(write: RecordedWrite, coin: string | undefined): Change[] {
  const { operation, kind, body } = write.intent;
  const textOf = createChangesMemberText(write, coin);
  const [, verb = operation] = operation.split(".");
  if (operation.startsWith("tx.")) return [{ label: verb, text: transactionText(write, textOf) || verb }];
  if (kind === "patch" && isJsonObject(body)) return memberChanges(body, write.intent.before, textOf);
  return [{ label: verb, text: { create: "created", delete: "deleted" }[verb] ?? verb }];
}

function transactionText({ intent: { operation, body, before }, outcome }: RecordedWrite, textOf: MemberText): string {
  const after = outcome?.after ?? {};
  const record: JsonObject = { ...before, ...after };
  const price = PRICES.findLast((name) => wireAmount(record[name]) !== undefined && !name.includes("priority")) ?? "";
  const nonce = wireAmount(record.nonce);
  const value = isJsonObject(body) && operation === "tx.send" ? body.value : null;
  const isPriced = operation === "tx.replace" && wireAmount(before?.[price]) !== undefined && wireAmount(after[price]);
  return [
    ...(nonce === undefined ? [] : [`nonce ${nonce}`]),
    ...(wireAmount(value) === undefined ? [] : [textOf("value", value)]),
    ...(isPriced ? [arrowText(textOf(price, before?.[price]), textOf(price, after[price]))] : []),
  ].join(", ");
}

function memberChanges(body: JsonObject, before: JsonObject | undefined, textOf: MemberText): Change[] {
  const now = (path: string) => valueAtPath(body, path);
  const was = (path: string) => before && valueAtPath(before, path);
  const paths = leafPaths(body).filter((path) => !before || textOf(path, was(path)) !== textOf(path, now(path)));
  const shown = (path: string, value: JsonValue | undefined) =>
    Array.isArray(value) ? entryCountText(value.length) : textOf(path, value);
  return paths.map((path) => {
    if (path === "paused") {
      const [old, state] = [was(path), now(path)].map((value) => (value === true ? "paused" : "active"));
      return { label: String(state), text: before ? `${old} → ${state}` : `→ ${state}` };
    }
    const label = path.replace(/^policies\./, "");
    return {
      label,
      text: `${label} ${before ? arrowText(shown(path, was(path)), shown(path, now(path))) : `→ ${shown(path, now(path))}`}`,
    };
  });
}

/** Returns `80 → 120 gwei`: a unit that both values have stands once. */
function arrowText(was: string, now: string): string {
  const unit = / \S+$/.exec(now)?.[0] ?? "";
  const isShared = unit !== "" && was.endsWith(unit) && /^[\d.]+ /.test(was) && /^[\d.]+ /.test(now);
  return `${isShared ? was.slice(0, -unit.length) : was} → ${now}`;
}
