import { shortAgoText, timeText } from "../../contract/age-text.ts";
import type { JsonValue } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Applied } from "../../errors.ts";
import { cell } from "../../terminal/cells.ts";
import { SIGNS } from "../../terminal/signs.ts";
import type { Cell, Tone } from "../../terminal/view.ts";

export interface Drawing {
  /** Milliseconds since 1970. */
  now: number;
  /** Times and runs are short on a terminal, and in full elsewhere. */
  isTerminal: boolean;
}

const TONES: Readonly<Record<Applied, Tone>> = { yes: "good", no: "bad", unknown: "warn" };
const APPLIED_SIGNS: Readonly<Record<Applied, string>> = { yes: SIGNS.good, no: SIGNS.bad, unknown: "?" };

/** Returns whether a write was applied, with its sign on a terminal, and whether it is still to be undone. */
export function appliedCell(
  { applied, restored }: { applied: Applied; restored: boolean | null },
  { isTerminal }: Drawing,
): Cell {
  const text = restored === false ? `${applied}, not restored` : applied;
  const tone = restored === false ? "warn" : TONES[applied];
  return { text: isTerminal ? `${APPLIED_SIGNS[applied]} ${text}` : text, tone };
}

/** Returns a time as its age in the largest unit, `3h ago`, or exactly where no terminal shows it. */
export function whenCell(time: string, drawing: Drawing): Cell {
  const age = drawing.now - receivedTime(time);
  return drawing.isTerminal && !Number.isNaN(age) ? { text: shortAgoText(age) } : exactCell(time);
}

export function timeCell(time: string, { now }: Drawing): Cell {
  const age = now - receivedTime(time);
  const { text } = exactCell(time);
  return { text: Number.isNaN(age) ? text : `${text}, ${shortAgoText(age)}` };
}

function exactCell(time: JsonValue): Cell {
  const at = receivedTime(time);
  return Number.isNaN(at) ? cell(time) : { text: timeText(at) };
}
