import { type Course, courseFromSubmitted } from "../course/course.ts";
import type { Resource } from "../state/collection.ts";
import type { DemoState } from "../state/state.ts";

/** How the record ends when the new version is mined, and when the earlier one is. */
export interface Race {
  won: Course["end"];
  lost: Course["end"];
}

/**
 * Sets the course of a transaction that was replaced or cancelled. One that is `sent` is on its way out and wins against
 * what comes after it (service-facts 13.1, 13.2); against one that is `submitted` the new version wins.
 */
export function race(state: DemoState, transaction: Resource, now: number, { won, lost }: Race): void {
  const { id, status } = transaction;
  const course = state.courses.get(id);
  if (status === "pending") return;
  if (status === "submitted") state.courses.set(id, courseFromSubmitted({ id, end: won }, transaction, now));
  else state.courses.set(id, course ? { ...course, end: lost } : { id, next: "submitted", due: now, end: won });
}
