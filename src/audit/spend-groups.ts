import { type MinedTransaction, weiSent } from "./mined-nonce.ts";
import type { Spend } from "./spend-since.ts";

export const GROUPINGS = ["relayer", "day", "receiver", "label", "coin"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Spent {
  relayerId: string;
  coin: string | undefined;
  /** Separates coins whose names are not known. */
  network: string | undefined;
  /** Milliseconds since 1970. */
  time: number;
  to: string | null;
  label: string | undefined;
}

/** In the smallest unit of one coin. */
export interface SpendGroup extends Spend {
  by: string | null;
  coin: string | undefined;
  failed: number;
}

export function createSpendGroups(grouping: Grouping) {
  const groups = new Map<string, SpendGroup>();
  const groupOf = (spent: Spent): SpendGroup => {
    const by = keyFor(grouping, spent);
    const key = `${by === null ? "" : `=${by}`}\0${spent.coin ?? `\0${spent.network}`}`;
    const group = groups.get(key) ?? { by, coin: spent.coin, value: 0n, fee: 0n, sent: 0, failed: 0, reverted: 0 };
    groups.set(key, group);
    return group;
  };
  return {
    addMined(mined: MinedTransaction, spent: Spent): void {
      const group = groupOf(spent);
      group.value += weiSent(mined);
      group.fee += mined.fee;
      group.sent++;
      if (mined.reverted) group.reverted++;
    },
    addFailed(spent: Spent): void {
      groupOf(spent).failed++;
    },
    /** Returns the groups by text, and last those without one. */
    list(): SpendGroup[] {
      const order = ({ by, coin }: SpendGroup) => `${by === null ? 1 : 0} ${by} ${coin}`;
      return [...groups.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1));
    },
  };
}

function keyFor(grouping: Grouping, { relayerId, coin, time, to, label }: Spent): string | null {
  switch (grouping) {
    case "relayer":
      return relayerId;
    case "day":
      return new Date(time).toISOString().slice(0, "2026-11-01".length);
    case "receiver":
      return to;
    case "label":
      return label ?? null;
    case "coin":
      return coin ?? null;
  }
}
