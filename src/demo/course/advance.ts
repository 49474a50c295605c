import { checkAgain } from "../health/checks.ts";
import type { DemoState } from "../state/state.ts";
import { type Course, courseAfter } from "./course.ts";
import { expire, nextExpiry } from "./expiry.ts";
import { fillGap } from "./gap.ts";
import { waitsForNonce } from "./nonces.ts";
import { changesOf } from "./steps.ts";
import { update } from "./update.ts";

/** What happens by itself at a time: a step of a transaction, or a look at a relayer. */
interface Due {
  due: number;
  take(moment: number): void;
}

/** Takes everything that was due by now, in the order of time. */
export function advance(state: DemoState, now: number): void {
  let moment = 0;
  for (let next = nextDue(state, now); next; next = nextDue(state, now)) {
    moment = Math.max(moment, next.due);
    next.take(moment);
  }
}

/** What comes first of all that is due by now. */
export function nextDue(state: DemoState, now: number): Due | undefined {
  const course = firstDue(state.courses, now, (each) => !isHeldUp(state, each));
  const check = firstDue(state.checks, now);
  const expiry = nextExpiry(state, now);
  const all: (Due | undefined)[] = [
    course && { due: course.due, take: (moment) => take(state, course, moment) },
    check && { due: check.due, take: (moment) => checkAgain(state, check, moment) },
    expiry && { due: expiry.due, take: (moment) => expire(state, expiry.course, moment) },
  ];
  return all.flatMap((each) => each ?? []).sort((one, other) => one.due - other.due)[0];
}

function firstDue<T extends { due: number }>(
  all: ReadonlyMap<string, T>,
  now: number,
  isFree: (each: T) => boolean = () => true,
): T | undefined {
  const due = [...all.values()].filter((each) => each.due <= now);
  return due.sort((one, other) => one.due - other.due).find(isFree);
}

function isHeldUp(state: DemoState, { id, next }: Course): boolean {
  const transaction = state.transactions.get(id);
  return next === "mined" && transaction !== undefined && waitsForNonce(state, transaction);
}

/** A transaction whose relayer was deleted meanwhile goes nowhere. */
function take(state: DemoState, course: Course, moment: number): void {
  state.courses.delete(course.id);
  const transaction = state.transactions.get(course.id);
  const relayer = state.relayers.get(String(transaction?.relayer_id));
  if (!transaction || !relayer) return;
  const changed = { ...transaction, ...changesOf[course.next]({ state, relayer, transaction, course, moment }) };
  if (changed.status === transaction.status) state.transactions.put(changed);
  else update(state, changed, moment);
  const following = courseAfter(course, changed, moment);
  if (following) state.courses.set(course.id, following);
  const leavesGap =
    course.next === "failed" && transaction.status === "pending" && typeof transaction.nonce === "number";
  if (leavesGap) fillGap(state, changed, moment);
}
