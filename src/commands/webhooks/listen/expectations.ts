import type { JsonObject } from "../../../contract/json.ts";
import type { ListenSettings } from "./settings.ts";

/** The conditions of `--expect`, each of which one event has to meet. */
export interface Expectations {
  /** Takes an event, and returns whether it meets a condition that no event met before. */
  see(item: JsonObject): boolean;
  /** Returns the texts of the conditions that no event has met. */
  missing(): readonly string[];
}

export function createExpectations(expected: ListenSettings["expected"]): Expectations {
  let open = expected;
  return {
    see(item) {
      const before = open.length;
      open = open.filter(({ condition }) => !condition(item));
      return open.length < before;
    },
    missing: () => open.map(({ text }) => text),
  };
}
