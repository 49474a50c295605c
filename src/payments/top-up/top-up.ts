import type { Speed } from "../../chain/evm/fee-history.ts";
import { hexAddress } from "../../chain/evm/quantity.ts";
import { Problems } from "../../contract/problems.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { selectRelayers } from "../../relayer-state/health.ts";
import type { Session } from "../../session/session.ts";
import { paymentContentDigest } from "../file/content.ts";
import type { RowOutcome } from "../outcome.ts";
import type { Payment, PaymentFile } from "../payment.ts";
import { AS_FLAGS, type Spelling } from "../run/running.ts";
import { isOnSameNetwork } from "./unshown.ts";

export interface TopUpTarget {
  /** The relayer's ID, or the label: `@treasury`. */
  name: string;
  /** In lowercase. */
  address: string;
}

export interface TypedTargets {
  ids: readonly string[] | undefined;
  labels: readonly TopUpTarget[];
  /** Whether a relayer that was not typed is chosen; undefined if only labels were typed. */
  isChosen: ((relayer: Relayer) => boolean) | undefined;
}

/** Returns each once, without relayers that can't be topped up. @throws usage if they were typed; not_found */
export function topUpTargets(
  relayers: readonly Relayer[],
  purse: Relayer,
  { ids, labels, isChosen }: TypedTargets,
  session: Pick<Session, "flags">,
) {
  const problems = new Problems();
  const notes: { note: string }[] = [];
  const found = new Map<string, TopUpTarget>();
  const add = (target: TopUpTarget, where: string | undefined) => {
    const first = found.get(target.address);
    const isPurse = target.address === hexAddress(purse.address);
    if (isPurse && where !== undefined) problems.add(where, `is the purse, ${purse.id}`, target.name);
    else if (first) notes.push({ note: `${target.name} has the address of ${first.name}, which is topped up once` });
    else if (!isPurse) found.set(target.address, target);
  };
  const usual = (relayer: Relayer) => isOnSameNetwork(relayer, purse) && isChosen?.(relayer) === true;
  for (const relayer of ids ? selectRelayers(relayers, ids, session) : relayers.filter(usual)) {
    const address = hexAddress(relayer.address);
    const where = ids ? "<relayers>" : undefined;
    if (where !== undefined && !isOnSameNetwork(relayer, purse))
      problems.add(where, `is on ${relayer.network}, and ${purse.id} pays on ${purse.network}`, relayer.id);
    else if (address !== undefined) add({ name: relayer.id, address }, where);
    else if (where !== undefined) problems.add(where, "has no address", relayer.id);
    else notes.push({ note: `${relayer.id} has no address, and is left out` });
  }
  for (const label of labels) add(label, "<relayers>");
  problems.throwIfAny();
  return { targets: [...found.values()], notes };
}

/** When to top up a balance, and to which level, in the smallest unit. */
export interface Levels {
  below: bigint;
  to: bigint;
}

interface Holding extends TopUpTarget {
  balance: bigint;
  pending: bigint;
}

export interface TopUp extends Holding {
  /** 0 if its balance is not below the level. */
  amount: bigint;
  row?: number;
}

export function planTopUps(holdings: readonly Holding[], levels: Levels): TopUp[] {
  let row = 0;
  return holdings.map((holding) => {
    const has = holding.balance + holding.pending;
    return has < levels.below ? { ...holding, amount: levels.to - has, row: ++row } : { ...holding, amount: 0n };
  });
}

export function topUpPayments(topUps: readonly TopUp[], speed: Speed): PaymentFile {
  const names = new Map(topUps.flatMap(({ row, name }) => (row === undefined ? [] : [[row, name] as const])));
  const payments = topUps.flatMap(({ row, name, address, amount }): Payment[] =>
    row === undefined ? [] : [{ row, line: row, label: name, to: address, value: amount, request: { speed } }],
  );
  return {
    name: "the top-ups",
    placeText: (_, about) => (typeof about === "object" ? (names.get(about.row) ?? "top-up") : "the top-ups"),
    sha256: paymentContentDigest(payments),
    kind: "evm",
    payments,
    total: payments.reduce((sum, { value }) => sum + value, 0n),
  };
}

/** The next top-up looks for unknown payments; nothing is resumed. */
export const AS_TOP_UP: Spelling = {
  ...AS_FLAGS,
  whenUnknown: [
    "an unknown top-up may be sent, or may still arrive: it counts as received until the chain shows that it cannot",
  ],
};

export type TopUpState = "enough" | "skipped" | RowOutcome["state"];
