import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/client/clock.ts";
import { createProgress } from "../../src/flow/progress.ts";
import { memoryOutput } from "../helpers/memory-output.ts";

/** A clock whose sleepers wake when the test says so. */
function sleepingClock(): Clock & { wake(): Promise<void> } {
  const sleepers: (() => void)[] = [];
  return {
    now: () => 0,
    elapsed: () => 0,
    sleep: () => new Promise((resolve) => sleepers.push(resolve)),
    wake: async () => {
      for (const wake of sleepers.splice(0)) wake();
      await Promise.resolve();
    },
  };
}

function begin(wanted = true) {
  const clock = sleepingClock();
  const stderr = memoryOutput({ terminal: true, columns: 40, redact: (text) => text });
  return { clock, stderr, progress: createProgress(clock, stderr, wanted) };
}

const PAGE = { type: "page", page: 12, of: 400 } as const;
const ATTEMPT = { type: "attempt", method: "GET", target: "/", attempt: 1, of: 3 } as const;
const REPLY = { type: "reply", status: 200, bytes: 2, milliseconds: 1 } as const;
const CLEAR = "\r\u001b[K";

describe("the progress line", () => {
  test("is silent for the first second", () => {
    const { progress, stderr } = begin();
    progress.hear(PAGE);
    progress.hear(ATTEMPT);
    expect(stderr.text()).toBe("");
  });

  test("then says which page is waited for", async () => {
    const { progress, stderr, clock } = begin();
    progress.hear(PAGE);
    progress.hear(ATTEMPT);
    await clock.wake();
    expect(stderr.text()).toBe(`${CLEAR}page 12 of 400`);
  });

  test("says nothing when the second ends and nothing is waited for", async () => {
    const { progress, stderr, clock } = begin();
    progress.hear(ATTEMPT);
    progress.hear(REPLY);
    await clock.wake();
    expect(stderr.text()).toBe("");
  });

  test("names the attempt, the wait and the cause, escaped and cut to the width", async () => {
    const { progress, stderr, clock } = begin();
    progress.hear(ATTEMPT);
    await clock.wake();
    progress.hear({ type: "retry", why: `Too Many\u001b[2J ${"x".repeat(80)}`, wait: 1200, attempt: 2, of: 3 });
    const last = stderr.text().split(CLEAR).at(-1) ?? "";
    expect(last).toContain("attempt 2 of 3 in 1.2 s: Too Many\\u{1b}");
    expect(last).toHaveLength(39);
  });

  test("goes away before anything else is written, and at the end", async () => {
    const { progress, stderr, clock } = begin();
    progress.hear(PAGE);
    await clock.wake();
    await progress.around(stderr).write("a line\n");
    progress.hear(PAGE);
    await progress.end();
    expect(stderr.text()).toBe(`${CLEAR}page 12 of 400${CLEAR}a line\n${CLEAR}page 12 of 400${CLEAR}`);
  });

  test("is not there where nobody looks", async () => {
    const { progress, stderr, clock } = begin(false);
    progress.hear(PAGE);
    await clock.wake();
    await progress.end();
    expect(stderr.text()).toBe("");
  });
});
