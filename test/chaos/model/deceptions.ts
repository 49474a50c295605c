import type { WireReply } from "../../../src/contract/wire.ts";
import { type Chance, createChance } from "../../safety/fuzz/chance.ts";
import { json, type Stored } from "./record.ts";
import { success } from "./reply.ts";
import type { Timeline } from "./timeline.ts";

/** What leads the program astray although nothing fails. */
export interface Deceptions {
  /** Milliseconds by which the clock of the program's machine is ahead of all others. */
  readonly clockAhead: number;
  /** Whether it was ever other than 0. */
  readonly isSkewed: boolean;
  /** Whether it ever was ahead. */
  readonly isAhead: boolean;
  /** Whether it was wrong, and was set right. */
  readonly isSetRight: boolean;
  /** Whether no clock that the program sees was ever ahead of the service's: its machine's, or a `Date` header's. */
  readonly showsTime: boolean;
  /** What happened, and how often. */
  readonly counts: Readonly<Record<string, number>>;
  /** Returns the headers of a response, to which a proxy adds its clock's `Date`. */
  headers(own: Readonly<Record<string, string>>): Record<string, string>;
  /** Returns a list in the order in which the service has it. @param newest newest first */
  order(newest: readonly Stored[]): readonly Stored[];
  /** Returns what comes in the place of the response to a payment, if anything does. @param earlier payments */
  otherReply(earlier: readonly Stored[]): { isForwarded: boolean; reply: WireReply } | undefined;
}

const MINUTE = 60_000;
/** Of so many responses to payments, one is that to another payment, in the lives in which there are any. */
const OTHER = 2;

/** @param isDeceived whether anything deceives the program by chance */
export function createDeceptions(timeline: Timeline, seed: number, isDeceived: boolean, start: number): Deceptions {
  // Its own chance: what it decides does not change the rest of the life.
  const chance: Chance = createChance(Math.imul(seed + 1, 0xc2b2ae35));
  const happens = (times: number) => chance.once(times) && isDeceived;
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  let clockAhead = happens(4) ? chance.pick([-15, -5, -2, 2, 5, 15, 45]) * MINUTE : 0;
  const isSkewed = clockAhead !== 0;
  const isAhead = clockAhead > 0;
  let isSetRight = false;
  if (isSkewed) count("clock of the machine differs");
  if (isSkewed && chance.once(3))
    timeline.after(chance.below(10 * MINUTE), () => {
      clockAhead = 0;
      isSetRight = true;
      count("clock of the machine is set right");
    });
  const dateAhead = happens(4) ? chance.pick([-60, 0, 3, 10, 60]) * MINUTE : undefined;
  if (dateAhead !== undefined) count("clock of a proxy differs");
  const order = happens(4) ? chance.pick(["oldest first", "any"] as const) : "newest first";
  if (order !== "newest first") count(`lists ${order}`);
  const salt = chance.below(1_000);
  const replies = happens(4);
  return {
    get clockAhead() {
      return clockAhead;
    },
    get isSetRight() {
      return isSetRight;
    },
    ...{ isSkewed, isAhead, counts, showsTime: !isSkewed || (dateAhead !== undefined && dateAhead <= 0) },
    headers(own) {
      if (dateAhead === undefined) return own;
      return { ...own, date: new Date(start + timeline.now + dateAhead).toUTCString() };
    },
    order(newest) {
      if (order === "newest first") return newest;
      if (order === "oldest first") return newest.toReversed();
      return newest.toSorted((one, other) => rank(one.id, salt) - rank(other.id, salt));
    },
    otherReply(earlier) {
      if (!replies || earlier.length === 0 || !chance.once(OTHER)) return undefined;
      count("responses of other payments");
      const record = json(chance.pick([...earlier]));
      const isOld = chance.once(2);
      const shown = isOld ? { ...record, status: "pending", hash: null, nonce: null, sent_at: null } : record;
      return { isForwarded: chance.once(2), reply: success(shown) };
    },
  };
}

/** Returns where a record is in a list in any order: always at the same place among the others. */
function rank(id: string, salt: number): number {
  let found = salt;
  for (let at = 0; at < id.length; at++) found = Math.imul(found ^ id.charCodeAt(at), 0x01000193);
  return found >>> 0;
}
