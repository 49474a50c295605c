import type { ConsentQuestion } from "../../../command-support/consent/consent.ts";
import { questionIn } from "../../../command-support/consent/write-consent.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { aligned } from "../../../terminal/width.ts";
import { shownField } from "../body/body-rows.ts";
import { cancellationEffects } from "../effects/cancellation.ts";

export const ACT = "canceling all pending transactions";
/** The maximum number of transactions in a prompt. */
const MOST_SHOWN = 20;
const COLUMNS = ["id", "status", "nonce", "to", "value"];

/** Returns one prompt for all of them; a protected context requires typing its name. */
export function setQuestion(session: Session, relayerId: string, found: readonly Transaction[]): ConsentQuestion {
  return {
    question: questionIn(session, setTitle(relayerId, found)),
    act: ACT,
    sort: session.protected ? { type: session.name } : "yes",
  };
}

function setTitle(relayerId: string, { length }: readonly Transaction[]): string {
  return `cancel ${length} ${length === 1 ? "transaction" : "transactions"} of ${relayerId}`;
}

/** Returns the transactions to cancel, and the effects. @param symbol the symbol of the network's coin, if known */
export function setLines(
  { name, flags }: Session,
  { relayerId, kind, symbol }: { relayerId: string; kind: NetworkKind; symbol: string | undefined },
  found: readonly Transaction[],
): string[] {
  const coin = currencyOf("evm", symbol);
  const rows = found
    .slice(0, MOST_SHOWN)
    .map((transaction) => COLUMNS.map((key) => shownField(key, transaction[key], coin)));
  const more = found.length - rows.length;
  return [
    `${setTitle(relayerId, found)} in ${name}`,
    ...aligned(rows).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    ...cancellationEffects(found, kind, (id) => commandLine(...flags, "tx", "replace", relayerId, id, "--interactive")),
  ];
}
