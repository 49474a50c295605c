import { relayerNode } from "../../../chain/node/relayer-node.ts";
import { symbolFor } from "../../../coins/symbol-for.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import type { DiffFlag } from "../../../command-support/shown.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { type Currency, currencyOf } from "../../../contract/currency.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { type Fee, feeOf } from "../../../limits/fee.ts";
import { type Outgoing, outgoingOf } from "../../../limits/outgoing.ts";
import { balanceOf } from "../../../limits/read-balance.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import type { Sending } from "../relayer-check.ts";

export interface Funds {
  balance: bigint;
  coin: Currency;
  outgoing: Outgoing;
  /** Undefined if only the service sets it. */
  fee: Fee | undefined;
}

/**
 * Reads the balance and refuses an amount above it: the service would accept the transaction, and it would block all
 * later ones. An unreadable balance is reported, and blocks nothing. The fee is estimated only if the transaction is
 * shown before it is sent; a script pays for one request only.
 * @throws RelayctlError usage
 */
export async function fundsFor(call: Call<DiffFlag>, relayer: Relayer, sending: Sending): Promise<Funds | undefined> {
  const { kind, body } = sending;
  if (!kind) return undefined;
  const isShown = call.flags.diff || (canPrompt(call.app, call.common) && !call.common.yes);
  const outgoing = outgoingOf(kind, body, relayer.address);
  if (!isShown && !("amount" in outgoing && outgoing.amount > 0n)) return undefined;
  const balance = await balanceOf(call, relayer.id);
  if (balance === undefined) return undefined;
  const client = (await call.session()).briefly(FUNDS_TIMEOUT);
  const node = isShown ? relayerNode(client.relayers, relayer.id) : undefined;
  const fee = await feeOf({ kind, body, relayer, node });
  const left = computeLeft({ balance, outgoing, fee });
  if (!isShown && left !== undefined && left >= 0n) return undefined;
  const funds = { balance, coin: currencyOf(kind, await symbolFor(call, relayer)), outgoing, fee };
  await refuseUncovered(call, funds, sending);
  if (left !== undefined && left < 0n) await call.say(`warning: ${shortageText(funds)}`);
  return funds;
}

async function refuseUncovered(
  call: Call,
  { balance, coin, outgoing }: Funds,
  { relayerId, sourceOf }: Sending,
): Promise<void> {
  if (!("amount" in outgoing) || outgoing.amount <= balance) return;
  const problems = new Problems();
  const rule = `is more than the balance of ${relayerId}, ${formatAmount(balance, coin)}`;
  problems.add(sourceOf(outgoing.path), rule, formatAmount(outgoing.amount, coin));
  problems.throwIfAny(commandLine(...(await call.session()).flags, "relayers", "balance", relayerId));
}

export function fundsRows(funds: Funds | undefined): string[][] {
  if (!funds) return [];
  const { fee, coin } = funds;
  const { words } = fee ?? {};
  return [
    ["  fee", fee ? feeAmount(fee, coin) : "set by the service", ...(words === undefined ? [] : [words])],
    ["  balance", balanceText(funds)],
  ];
}

function balanceText(funds: Funds): string {
  const { balance, coin, outgoing, fee } = funds;
  const now = formatAmount(balance, coin);
  const left = computeLeft(funds) ?? 0n;
  if ("unknown" in outgoing) return `${now}; what is left is not known: ${outgoing.unknown}`;
  if (left < 0n) return `${now}; not enough for the fee`;
  const after = formatAmount(left, coin);
  if (!fee) return `${now} → ${after}, less the fee`;
  return `${now} → ${fee.bound === "at most" ? "at least" : "about"} ${after}`;
}

function shortageText(funds: Funds): string {
  const { balance, coin } = funds;
  return `the amount and the fee, ${feeText(funds)}, are more than the balance, ${formatAmount(balance, coin)}`;
}

function feeText({ fee, coin }: Pick<Funds, "fee" | "coin">): string {
  if (!fee) return "set by the service";
  return `${feeAmount(fee, coin)}${fee.words === undefined ? "" : ` (${fee.words})`}`;
}

function feeAmount({ bound, amount }: Fee, coin: Currency): string {
  return `${bound} ${formatAmount(amount, coin)}`;
}

function computeLeft({ balance, outgoing, fee }: Pick<Funds, "balance" | "outgoing" | "fee">): bigint | undefined {
  return "amount" in outgoing ? balance - outgoing.amount - (fee?.amount ?? 0n) : undefined;
}
