import type { DemoState } from "../state/state.ts";
import { type Course, courseAfter } from "./course.ts";
import { fillGap } from "./gap.ts";
import { waitsForNonce } from "./nonces.ts";
import { changesOf } from "./steps.ts";
import { update } from "./update.ts";

/** Takes every step that was due by now, in the order of time. */
export function advance(state: DemoState, now: number): void {
  let moment = 0;
  for (let course = nextDue(state, now); course; course = nextDue(state, now)) {
    moment = Math.max(moment, course.due);
    take(state, course, moment);
  }
}

/** The course whose step comes first of those that are due by now and that no lower nonce holds up. */
export function nextDue(state: DemoState, now: number): Course | undefined {
  const due = [...state.courses.values()].filter((course) => course.due <= now);
  return due.sort((one, other) => one.due - other.due).find((course) => !isHeldUp(state, course));
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
  if (course.next === "failed" && transaction.status === "pending") fillGap(state, changed, moment);
}
