import { counted, grouped } from "../../../contract/decimal.ts";
import { agoText } from "../../../terminal/age-text.ts";
import type { Forwarded } from "../../../webhooks/forward.ts";
import type { Taken } from "../../../webhooks/intake.ts";

/** Counts deliveries, for the summary at the end. */
export interface Tally {
  /** The number of events that were accepted. */
  readonly events: number;
  /** When the last delivery was accepted, in milliseconds since 1970. */
  readonly lastAt: number | undefined;
  taken(taken: Taken, now: number): void;
  refused(reason: string): void;
  forwarded(forwarded: Forwarded): void;
  /** Returns the summary, one line for each subject. */
  lines(now: number): string[];
}

/** @param files the files of the keys, in their order */
export function createTally(files: readonly string[]): Tally {
  let [events, late, repeats] = [0, 0, 0];
  let lastAt: number | undefined;
  const refusals = new Map<string, number>();
  const keys = files.map((file) => ({ file, count: 0, lastAt: 0 }));
  const targets = { delivered: 0, failed: 0 };
  const refused = (reason: string) => void refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
  return {
    get events() {
      return events;
    },
    get lastAt() {
      return lastAt;
    },
    refused,
    taken(taken, now) {
      if (taken.kind === "refused") return refused(taken.reason);
      if (taken.kind === "repeat") repeats++;
      else {
        events++;
        if (taken.accepted.isLate) late++;
      }
      lastAt = now;
      const key = keys[(taken.kind === "repeat" ? taken.key : taken.accepted.key) ?? -1];
      if (!key) return;
      key.count++;
      key.lastAt = now;
    },
    forwarded(forwarded) {
      if (isDelivered(forwarded)) targets.delivered++;
      else targets.failed++;
    },
    lines(now) {
      const isUsed = targets.delivered + targets.failed > 0;
      const total = [...refusals.values()].reduce((sum, count) => sum + count, 0);
      const reasons = [...refusals].map(([reason, count]) => `${grouped(count)} ${reason}`);
      return [
        `received ${counted(events, "event")}${late > 0 ? `, ${grouped(late)} late` : ""}; ${counted(repeats, "repeat")}, ${grouped(total)} refused`,
        ...(lastAt === undefined ? [] : [`  last       ${agoText(now - lastAt)}`]),
        ...(total === 0 ? [] : [`  refused    ${reasons.join(", ")}`]),
        ...(isUsed ? [`  forwarded  ${grouped(targets.delivered)} accepted, ${grouped(targets.failed)} failed`] : []),
        ...keys.map((key, index) => `  key ${index + 1}      ${keyText(key, now)}`),
      ];
    },
  };
}

function keyText({ file, count, lastAt }: { file: string; count: number; lastAt: number }, now: number): string {
  if (count === 0) return `${file}: not used`;
  return `${file}: ${counted(count, "delivery", "deliveries")}, the last one ${agoText(now - lastAt)}`;
}

/** Returns whether the target accepted a delivery. */
export function isDelivered(forwarded: Forwarded): boolean {
  return "status" in forwarded && forwarded.status >= 200 && forwarded.status < 300;
}
