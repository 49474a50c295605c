import { failureOfMany } from "../../../client/bulk/failure.ts";
import type { Completed } from "../../../client/bulk/run-all.ts";
import { receiptOf } from "../../../command-support/receipt.ts";
import { formatAmount, wireAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { RelayctlError } from "../../../errors.ts";
import { nextWords, receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { withIds } from "../../../session/undo-line.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { cell } from "../../../terminal/cells.ts";
import { visible } from "../../../terminal/escape.ts";
import type { Ending } from "../../../terminal/view.ts";
import { aligned } from "../../../terminal/width.ts";
import { countOf } from "../many/consent.ts";
import { manyUndo } from "../many/receipt.ts";
import type { Symbols } from "../many/targets.ts";
import type { Frozen } from "./perform.ts";
import type { FreezeTarget } from "./plan.ts";
import { type FrozenRelayer, frozenRelayer, type OpenBecause } from "./view.ts";

interface Receipted {
  session: Session;
  symbols: Symbols;
  /** The lines about the undo file, in place of the command. */
  kept: readonly string[] | undefined;
}

type Item = Frozen & Pick<FrozenRelayer, "freeze">;

/** Returns the receipt of a freeze: what was applied, what can still be mined, and the command that undoes the pauses. */
export function freezeReceipt(frozen: readonly Frozen[], receipted: Receipted): Omit<Ending, "failure"> {
  const { session, symbols, kept } = receipted;
  const items = frozen.map((each): Item => ({ ...each, freeze: frozenRelayer(each).freeze }));
  const paused = items.flatMap(({ target, pause }) =>
    pause.value && !pause.already ? [{ ...target, after: pause.value.data }] : [],
  );
  const same = items.filter(({ pause }) => pause.already).length;
  const [canceled, requested] = [countIn(items, "canceled"), countIn(items, "cancellation_requested")];
  const words = [
    `${countOf(paused)} paused`,
    ...(same > 0 ? [`${grouped(same)} already paused`] : []),
    ...(canceled > 0 ? [`${countText(canceled, "transaction")} canceled`] : []),
    ...(requested > 0 ? [`${countText(requested, "cancellation")} requested, not final yet`] : []),
  ].join(", ");
  const open = stillOpenLines(items, symbols);
  if (paused.length + canceled + requested === 0)
    return { notes: [...(same > 0 ? [`in ${session.name}: ${words}`] : []), ...open, ...(kept ?? [])] };
  const undo = kept ?? (paused.length === 0 ? [] : manyUndo(paused, session, symbols));
  const final = canceled + requested > 0 && paused.length > 0 ? [STAYS_CANCELED] : [];
  return {
    receipt: [...doubtLines(items), receiptWords.applied(session.name, words), ...open, ...final],
    next: [...followLines(items, session), ...undo],
  };
}

function countIn(items: readonly Item[], list: "canceled" | "cancellation_requested"): number {
  return items.reduce((total, { freeze }) => total + freeze[list].length, 0);
}

/** Returns what a lost or incomplete response leaves open about each request. */
function doubtLines(items: readonly Item[]): string[] {
  return items.flatMap(({ target, cancellations, pause }) => {
    const named = [...cancellations.map((each) => ({ ...each, id: `${target.id} ${each.id}` })), pause];
    return named.flatMap(({ id, value }) => (value ? receiptOf(value, []).map((line) => `${id}: ${line}`) : []));
  });
}

function stillOpenLines(items: readonly Item[], symbols: Symbols): string[] {
  const rows = items.flatMap(({ target: { id, before }, freeze }) =>
    freeze.can_still_be_mined.map((transaction) => ({
      relayer: before,
      relayerId: id,
      transaction,
      because: transaction.because,
      until: transaction.until,
    })),
  );
  const unread = items.filter(({ pause, left }) => pause.value && !pause.already && !left);
  const ids = unread.map(({ target }) => target.id);
  return [
    ...(rows.length === 0 ? [] : [`can still be mined: ${countText(rows.length, "transaction")}`]),
    ...openLines(rows, symbols),
    ...(rows.some(({ until }) => until !== null) ? [AT_THE_END] : []),
    ...(ids.length === 0 ? [] : [`note: not read again after the pause, so there may be more: ${ids.join(", ")}`]),
  ];
}

const AT_THE_END =
  "then an EVM transaction is replaced with a no-op, and any other expires; valid_until, which no record shows, changes the time";

const MOST_IDS = 20;

function followLines(items: readonly Item[], { flags }: Session): string[] {
  const ids = items.filter(({ freeze }) => freeze.cancellation_requested.length > 0).map(({ target }) => target.id);
  const [first, ...more] = ids;
  if (first === undefined) return [];
  const status = ["relayers", "status", ...(ids.length > MOST_IDS ? [] : withIds([], ids))];
  const line = more.length === 0 ? ["tx", "list", ...withIds([], ids)] : status;
  return [nextWords.follow(commandLine(...flags, ...line))];
}

/** Returns the failure of a freeze; undefined if all of it took effect. */
export function freezeFailure(
  targets: readonly FreezeTarget[],
  frozen: ReadonlyMap<string, Frozen>,
  interrupt: AbortSignal,
): RelayctlError | undefined {
  const requests = targets.flatMap((target): Completed<unknown>[] => {
    const { id, cancels, unread } = target;
    const done = frozen.get(id);
    const cancellations = done?.cancellations ?? cancels.map((each) => ({ id: each.id }));
    return [
      ...(unread ? [{ id: `transactions of ${id}`, error: unread }] : []),
      ...cancellations.map((each) => ({ ...each, id: `${id} ${each.id}` })),
      done?.pause ?? { id },
    ];
  });
  return failureOfMany(requests, "requests", interrupt);
}

/** The limit of an undo, for the question and the receipt. */
export const STAYS_CANCELED = "an undo resumes the relayers; canceled transactions stay canceled";

const MOST_SHOWN = 20;

const BECAUSE: Readonly<Record<OpenBecause, (relayer: Relayer | undefined) => string>> = {
  requested: () => "cancellation requested",
  paused: () => "the relayer was paused before",
  disabled: () => "the relayer is disabled",
  kind: (relayer) => `${relayer?.network_type === "stellar" ? "Stellar" : "Solana"} has no cancellations`,
  network: (relayer) => `nodes on ${cell(relayer?.network).text} refuse cancellations until the market rises by 10 %`,
  failed: () => "cancellation failed",
  arrived: () => "it arrived before the pause",
};

export interface OpenRow {
  relayer: Relayer | undefined;
  relayerId: string;
  transaction: { id: string; status?: JsonValue; value?: JsonValue; nonce?: JsonValue };
  because: OpenBecause;
  /** ISO 8601, or null. */
  until?: string | null;
}

/** Returns transactions that can still be mined, one per line, with the reason and the time until which. */
export function openLines(rows: readonly OpenRow[], symbols: Symbols): string[] {
  const texts = rows
    .slice(0, MOST_SHOWN)
    .map(({ relayer, relayerId, transaction, because, until }) => [
      visible(relayerId),
      (transaction.nonce ?? null) === null ? "" : `nonce ${visible(cell(transaction.nonce).text)}`,
      visible(cell(transaction.status).text),
      valueText(transaction.value, relayer, symbols),
      visible(transaction.id),
      [BECAUSE[because](relayer), ...(until ? [`until ${until.slice(0, 16).replace("T", " ")}Z`] : [])].join(", "),
    ]);
  const more = rows.length - texts.length;
  return [...aligned(texts).map((line) => `  ${visible(line)}`), ...(more > 0 ? [`  and ${grouped(more)} more`] : [])];
}

function valueText(value: JsonValue | undefined, relayer: Relayer | undefined, symbols: Symbols): string {
  const amount = wireAmount(value);
  if (amount === undefined) return "";
  return formatAmount(amount, currencyOf("evm", symbols.get(relayer?.network ?? "")));
}

interface Paying {
  before: Relayer | undefined;
  cancels: readonly Transaction[];
}

/**
 * Returns the sum of the payments to cancel for each network: `0.2 ETH on mainnet (3)`. A coin is never summed over
 * networks, since one of them may be a test network.
 */
export function paymentSums(targets: readonly Paying[], symbols: Symbols): string[] {
  const sums = new Map<string, { total: bigint; count: number }>();
  for (const { before, cancels } of targets) {
    const network = before?.network ?? "";
    for (const transaction of cancels) {
      const amount = networkKind(before) === "evm" ? (wireAmount(transaction.value) ?? 0n) : 0n;
      const { total, count } = sums.get(network) ?? { total: 0n, count: 0 };
      if (amount > 0n) sums.set(network, { total: total + amount, count: count + 1 });
    }
  }
  return [...sums].map(([network, { total, count }]) => {
    const amount = formatAmount(total, currencyOf("evm", symbols.get(network)));
    return `${amount} on ${visible(network) || "an unknown network"} (${grouped(count)})`;
  });
}

/** Returns `3 transactions`. */
export function countText(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
