import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { type Currency, currencyOf } from "../../../contract/currency.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { visible } from "../../../terminal/escape.ts";
import { aligned } from "../../../terminal/width.ts";
import { bodyRows } from "../body/body-rows.ts";
import { type ShownCall, withCall } from "../call/shown-call.ts";
import type { Sending } from "../relayer-check.ts";
import { type Funds, fundsRows } from "./funds.ts";
import { outgoingOf } from "./outgoing.ts";

/** What a question about a new transaction shows. */
interface Payment {
  sending: Pick<Sending, "kind" | "body">;
  relayer: Relayer;
  /** Of the network's coin, if known. */
  symbol: string | undefined;
  /** Undefined if the balance is not known. */
  funds: Funds | undefined;
  /** What the simulation shows, as rows. */
  simulated: readonly (readonly string[])[];
  calls: ShownCall;
}

/** Returns how the question begins: `send 0.01 ETH from eth-main-1 (mainnet)`. */
export function paymentTitle({ sending: { kind, body }, relayer, symbol }: Payment): string {
  const outgoing = kind && outgoingOf(kind, body, relayer.address);
  const isPayment = outgoing && "amount" in outgoing && outgoing.amount > 0n;
  const what = isPayment ? formatAmount(outgoing.amount, currencyOf(kind, symbol)) : "a transaction";
  const network = typeof relayer.network === "string" ? ` (${visible(relayer.network)})` : "";
  return `send ${what} from ${relayer.id}${network}`;
}

/** Returns the lines above the question: the body in the order of its fields, then amount, fee, and balance. */
export function paymentLines({ sending: { body }, relayer, symbol, funds, simulated, calls }: Payment): string[] {
  const { value, ...rest } = body;
  const coin = currencyOf("evm", symbol);
  const amount = wireAmount(value);
  const money = [...(amount === undefined ? [] : [amountRow(amount, coin)]), ...fundsRows(funds)];
  const texts = aligned(money.map(([, ...cells]) => cells));
  return aligned([
    ...(typeof relayer.address === "string" ? [["  from", visible(relayer.address)]] : []),
    ...withCall(bodyRows(rest, coin), calls),
    ...money.map(([label = ""], index) => [label, texts[index] ?? ""]),
    ...simulated,
  ]);
}

/** Returns the amount in the coin, and next to it in the smallest unit, unless the two are the same. */
function amountRow(amount: bigint, coin: Currency): string[] {
  const [shown, exact] = [formatAmount(amount, coin), `${amount} ${coin.base}`];
  return ["  amount", shown, ...(shown === exact ? [] : [exact])];
}
