import fc from "fast-check";
import { backoffBeforeAttempt, retryAfter } from "../../../src/client/attempt/failed-attempt.ts";
import { anyCharacter } from "../../helpers/any-character.ts";
import { runs } from "../../helpers/deep.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { refusal } from "../../helpers/service/reply.ts";

const RUNS = runs(150, 100_000);
const NOW = Date.parse("2026-11-21T03:12:07Z");

const anything = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.stringMatching(/^[-+ 0-9.eExX,;]{0,20}$/),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

test("any header returns no wait, or a finite wait that is not negative", () => {
  fc.assert(
    fc.property(anything, (header) => {
      const wait = retryAfter(header, NOW);
      expect(wait === undefined || (Number.isSafeInteger(wait) && wait >= 0)).toBe(true);
    }),
    RUNS,
  );
});

test("whole seconds are parsed exactly, and similar texts are rejected", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_999_999_999 }),
      fc.constantFrom("", " ", "+", "-", "0x", "1e"),
      (seconds, before) => {
        const read = retryAfter(`${before}${seconds}`, NOW);
        expect(read).toBe(before === "" ? seconds * 1000 : undefined);
      },
    ),
    RUNS,
  );
});

test("an HTTP date returns the time until then in seconds, and nothing after that time", () => {
  const seconds = fc.integer({ min: -1_000_000, max: 1_000_000_000 });
  fc.assert(
    fc.property(seconds, (ahead) => {
      const header = new Date(NOW + ahead * 1000).toUTCString();
      expect(retryAfter(header, NOW)).toBe(ahead > 0 ? ahead * 1000 : undefined);
    }),
    RUNS,
  );
});

test("the pause before the next attempt is at least 100 ms, and never shorter than the requested wait", () => {
  const fractions = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 12 }), fractions, (header, attempts, fraction) => {
      const clock = manualClock(NOW);
      const outcome = { fault: "limited" as const, reply: refusal(429, "slow", { "retry-after": header }) };
      const pause = backoffBeforeAttempt(outcome as never, attempts, clock, {
        uuid: () => "",
        fraction: () => fraction,
      });
      expect(pause).toBeGreaterThanOrEqual(Math.max(100, retryAfter(header, NOW) ?? 0));
      expect(Number.isFinite(pause)).toBe(true);
    }),
    RUNS,
  );
});
