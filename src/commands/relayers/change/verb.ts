import type { JsonObject } from "../../../contract/json.ts";

/** The words for a change by its verb, and for a relayer that needs none. */
export const changeVerbs = {
  pause: { act: "pausing a relayer", done: "paused", already: "already paused" },
  resume: { act: "resuming a relayer", done: "resumed", already: "not paused" },
  update: { act: "changing a relayer", done: undefined, already: "already set" },
} as const;

/** Returns the verb for a change: a change that only pauses or resumes is not called an update. */
export function verbOf(body: JsonObject): keyof typeof changeVerbs {
  if (Object.keys(body).length > 1 || typeof body.paused !== "boolean") return "update";
  return body.paused ? "pause" : "resume";
}
