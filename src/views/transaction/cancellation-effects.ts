import { grouped } from "../../contract/decimal.ts";
import { effectTexts } from "../../contract/effect/texts.ts";
import type { NetworkKind } from "../../contract/network-kind.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isUnsigned, statusOf } from "../../contract/transaction/transaction-state.ts";
import { cell } from "../../terminal/cells.ts";

const AT_ONCE = "the service cancels it at once, unless it signs it first";

/**
 * Returns the effects of a cancellation on transactions in their current state. On EVM a queued one is canceled at
 * once, since nothing of it can be on the network (facts 13.6, 16.3).
 * @param replace returns the command that replaces a transaction
 */
export function cancellationEffects(
  found: readonly Transaction[],
  kind: NetworkKind,
  replace: (id: string) => string,
): string[] {
  const queued = found.filter((each) => isUnsigned(each, kind));
  const isOne = found.length === 1;
  const [atOnce, requested] = [queued.length, found.length - queued.length];
  return [
    ...(requested === 0
      ? []
      : [
          `${isOne ? "" : `${grouped(requested)} of ${grouped(found.length)}: `}${effectTexts.onlyRequested}: ${effectTexts.mayBeMined}`,
        ]),
    ...(atOnce === 0
      ? []
      : [`${isOne ? "" : `${grouped(atOnce)} of ${grouped(found.length)}: `}not signed yet: ${AT_ONCE}`]),
    ...gapWords(queued),
    ...queued
      .filter(holdsNonce)
      .slice(0, 1)
      .map(({ id }) => `to free them in about 10 seconds, replace it instead: ${replace(id)}`),
  ];
}

/** Returns the possible outcomes of a cancellation that the service accepted, but did not complete at once. */
export function openEnd(after: Transaction): string[] {
  return statusOf(after) === "canceled" ? [] : [effectTexts.mayBeMined];
}

/** Returns a note that nonces of canceled, never broadcast transactions stay unused for a while (facts 16.3). */
export function gapWords(canceled: readonly Transaction[]): string[] {
  const nonces = canceled
    .filter((each) => (each.hash ?? null) === null && holdsNonce(each))
    .map(({ nonce }) => cell(nonce).text);
  if (nonces.length === 0) return [];
  const gap = nonces.length === 1 ? `nonce ${nonces[0]} is a gap` : `nonces ${nonces.join(", ")} are gaps`;
  return [`${gap}: transactions with a higher nonce wait about 200 seconds, until the service fills it`];
}

function holdsNonce({ nonce }: Transaction): boolean {
  return (nonce ?? null) !== null;
}
