import { createProgress } from "../../src/command-support/progress.ts";
// Loaded when a line is first painted; here it is loaded before.
import "../../src/terminal/width.ts";
import { memoryOutput } from "../helpers/memory/output.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";

function begin({ plain = false, columns = 40 } = {}) {
  const clock = steppedClock();
  const stderr = memoryOutput({ terminal: true, columns, redact: (text) => text });
  const progress = createProgress({ clock, stderr, plain });
  const line = () => stderr.text().split(CLEAR).at(-1);
  return { clock, stderr, progress, line };
}

const PAGE = { type: "page", page: 12, of: 400 } as const;
const ATTEMPT = { type: "attempt", method: "GET", target: "/", writes: false, attempt: 1, of: 3 } as const;
const WRITE = { ...ATTEMPT, method: "PATCH", writes: true } as const;
const RETRY = { type: "retry", why: "Too Many Requests", wait: 1200, attempt: 2, of: 3 } as const;
const REPLY = { type: "reply", status: 200, bytes: 2, milliseconds: 1 } as const;
const CLEAR = "\r\u001b[K";

describe("the progress of many operations", () => {
  const COUNTS = { doing: "pausing", of: 4000, done: 0, failed: 0, since: 0 };

  test("shows counts, rate, and time left, whatever single requests do", async () => {
    const { progress, clock, line } = begin({ columns: 100 });
    const counts = { ...COUNTS };
    progress.count(counts);
    progress.hear(WRITE);
    await clock.pass(1000);
    expect(line()).toMatch(/^\S pausing {3}0\/4,000 {3}░{18}$/);
    Object.assign(counts, { done: 1204, failed: 3 });
    progress.hear(RETRY);
    await clock.pass(38_000);
    expect(line()).toMatch(/^\S pausing {3}1,204\/4,000 {3}█{5}░{13} {3}31\/s {3}1m 30s left {3}3 failed$/);
    progress.count(undefined);
    progress.hear(REPLY);
    await clock.pass(100);
    expect(line()).toBe("");
  });

  test("shows how far a wait for transactions has come, and for how long, in place of a rate", async () => {
    const { progress, clock, line } = begin({ columns: 100 });
    progress.count({ ...COUNTS, doing: "waiting", of: 40, done: 8, phases: "20 submitted, 12 mined" });
    await clock.pass(34_000);
    expect(line()).toMatch(/^\S waiting {3}8\/40 {3}20 submitted, 12 mined {3}34s {3}█{3}░{15}$/);
  });

  test("leaves out what does not fit: the bar, then the rate, then the time", async () => {
    const shown = async (columns: number) => {
      const { progress, clock, line } = begin({ columns });
      progress.count({ ...COUNTS, done: 1204, failed: 3, since: -37_900 });
      await clock.pass(1000);
      return line()?.slice(2);
    };
    expect(await shown(72)).toBe("pausing   1,204/4,000   31/s   1m 30s left   3 failed");
    expect(await shown(50)).toBe("pausing   1,204/4,000   1m 30s left   3 failed");
    expect(await shown(40)).toBe("pausing   1,204/4,000   3 failed");
  });

  test("is one line for each tenth in plain lines", async () => {
    const { progress, clock, stderr } = begin({ plain: true, columns: 20 });
    const counts = { ...COUNTS };
    progress.count(counts);
    for (const done of [10, 20, 400, 410]) {
      counts.done = done;
      await clock.pass(1000);
    }
    expect(stderr.text().match(/[0-9,]+\/4,000/g)).toEqual(["10/4,000", "400/4,000"]);
    expect(stderr.text()).toMatch(/^pausing {3}10\/4,000/);
    expect(stderr.text()).not.toMatch(/[█░⠀-⣿]/);
  });
});

describe("the progress line", () => {
  test("appears after a second, and shows what it waits for", async () => {
    const { progress, stderr, clock } = begin();
    progress.hear(ATTEMPT);
    await clock.pass(999);
    expect(stderr.text()).toBe("");
    await clock.pass(1);
    expect(stderr.text()).toBe(`${CLEAR}waiting for the service`);
  });

  test("shows the page of a list, and is updated ten times a second", async () => {
    const { progress, clock, line } = begin();
    progress.hear(PAGE);
    progress.hear(ATTEMPT);
    await clock.pass(1000);
    expect(line()).toBe("page 12 of 400");
    progress.hear(REPLY);
    progress.hear({ ...PAGE, page: 13 });
    progress.hear(ATTEMPT);
    await clock.pass(99);
    expect(line()).toBe("page 12 of 400");
    await clock.pass(1);
    expect(line()).toBe("page 13 of 400");
  });

  test("shows no first page if the number of pages is unknown", async () => {
    const { progress, clock, line } = begin();
    progress.hear({ type: "page", page: 1, of: undefined });
    progress.hear(ATTEMPT);
    await clock.pass(1000);
    expect(line()).toBe("waiting for the service");
    progress.hear(REPLY);
    progress.hear({ type: "page", page: 2, of: undefined });
    progress.hear(ATTEMPT);
    await clock.pass(100);
    expect(line()).toBe("page 2");
  });

  test("shows that a write is in progress, without the last page read", async () => {
    const { progress, clock, line } = begin();
    progress.hear(PAGE);
    progress.hear(ATTEMPT);
    progress.hear(REPLY);
    progress.hear(WRITE);
    await clock.pass(1000);
    expect(line()).toBe("a write is in progress");
  });

  test("counts down to the next attempt, with its number", async () => {
    const { progress, clock, line } = begin({ columns: 80 });
    progress.hear(WRITE);
    await clock.pass(1000);
    progress.hear(RETRY);
    await clock.pass(100);
    expect(line()).toBe("attempt 2 of 3 in 1.1 s: Too Many Requests");
    await clock.pass(1000);
    expect(line()).toBe("attempt 2 of 3 in 0.1 s: Too Many Requests");
    progress.hear({ ...WRITE, attempt: 2 });
    await clock.pass(100);
    expect(line()).toBe("a write is in progress, attempt 2 of 3");
  });

  test("counts down long delays in whole seconds", async () => {
    const { progress, clock, line } = begin({ columns: 80 });
    progress.hear({ ...RETRY, wait: 61_000 });
    await clock.pass(1000);
    expect(line()).toBe("attempt 2 of 3 in 60 s: Too Many Requests");
  });

  test("is repainted only when it changes", async () => {
    const { progress, clock, stderr } = begin();
    progress.hear(ATTEMPT);
    await clock.pass(10_000);
    expect(stderr.text()).toBe(`${CLEAR}waiting for the service`);
  });

  test("keeps the page during retries", async () => {
    const { progress, clock, line } = begin({ columns: 80 });
    progress.hear(PAGE);
    progress.hear(ATTEMPT);
    progress.hear({ type: "no_reply", why: "the connection was closed" });
    progress.hear({ ...RETRY, wait: 5000 });
    await clock.pass(1000);
    expect(line()).toBe("page 12 of 400, attempt 2 of 3 in 4.0 s: Too Many Requests");
  });

  test.each([
    ["escaped", "Too Many\u001b[2J", 80, "attempt 2 of 3 in 4.0 s: Too Many\\u{1b}[2J"],
    ["cut to the width", "x".repeat(80), 40, `attempt 2 of 3 in 4.0 s: ${"x".repeat(13)}…`],
    ["measured by display width", "狐".repeat(80), 40, `attempt 2 of 3 in 4.0 s: ${"狐".repeat(6)}…`],
  ])("is %s", async (_, why, columns, shown) => {
    const { progress, clock, line } = begin({ columns });
    progress.hear({ ...RETRY, wait: 5000, why });
    await clock.pass(1000);
    expect(line()).toBe(shown);
  });

  test("disappears soon after the last response, and reappears after another second of waiting", async () => {
    const { progress, clock, line, stderr } = begin();
    progress.hear(ATTEMPT);
    await clock.pass(1000);
    progress.hear(REPLY);
    await clock.pass(100);
    expect(line()).toBe("");
    progress.hear(ATTEMPT);
    await clock.pass(999);
    expect(line()).toBe("");
    await clock.pass(1);
    expect(stderr.text()).toBe(`${CLEAR}waiting for the service${CLEAR}${CLEAR}waiting for the service, request 2`);
  });

  test("disappears before other output, and reappears while waiting", async () => {
    const { progress, clock, stderr } = begin();
    progress.hear(WRITE);
    await clock.pass(1000);
    await progress.around(stderr).write("a line\n");
    await clock.pass(1000);
    await progress.end();
    const line = `${CLEAR}a write is in progress${CLEAR}`;
    expect(stderr.text()).toBe(`${line}a line\n${line}`);
  });

  test("stays while a long list is streamed into a file", async () => {
    const { progress, clock, stderr } = begin();
    const file = memoryOutput({ terminal: false, columns: 80, redact: (text) => text });
    for (const page of [1, 2, 3, 4]) {
      progress.hear({ type: "page", page, of: 4 });
      progress.hear(ATTEMPT);
      await clock.pass(700);
      progress.hear(REPLY);
      await progress.around(file).write(`page ${page}\n`);
    }
    const pages = ["page 2 of 4", "page 3 of 4", "page 4 of 4"];
    expect(stderr.text()).toBe(pages.map((text) => CLEAR + text).join(""));
    expect(file.text()).toBe("page 1\npage 2\npage 3\npage 4\n");
  });

  test("disappears before a question, and permanently at the end", async () => {
    const { progress, clock, stderr } = begin();
    progress.hear(ATTEMPT);
    await clock.pass(1000);
    await progress.clear();
    await progress.end();
    progress.hear(ATTEMPT);
    await clock.pass(10_000);
    expect(stderr.text()).toBe(`${CLEAR}waiting for the service${CLEAR}`);
  });
});

describe("as plain lines", () => {
  test("paints over nothing, and shows a countdown once", async () => {
    const { progress, clock, stderr } = begin({ plain: true });
    progress.hear(ATTEMPT);
    await clock.pass(3000);
    progress.hear({ ...RETRY, wait: 5000 });
    await clock.pass(5000);
    progress.hear({ ...ATTEMPT, attempt: 2 });
    await clock.pass(1000);
    await progress.end();
    expect(stderr.text()).toBe("waiting for the service\nattempt 2 of 3 in 4.0 s: Too Many Requests\nattempt 2 of 3\n");
  });

  test("repeats a wait without a count every ten seconds", async () => {
    const { progress, clock, stderr } = begin({ plain: true });
    progress.hear(ATTEMPT);
    await clock.pass(25_000);
    await progress.end();
    expect(stderr.text()).toBe("waiting for the service\n".repeat(3));
  });

  test("shows at most ten lines for a list", async () => {
    const { progress, clock, stderr } = begin({ plain: true });
    for (let page = 1; page <= 400; page++) {
      progress.hear({ type: "page", page, of: 400 });
      progress.hear(ATTEMPT);
      await clock.pass(1000);
      progress.hear(REPLY);
    }
    const lines = stderr.text().trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines[1]).toBe("page 41 of 400");
    expect(stderr.text()).not.toMatch(/[\r\u001b]/);
  });
});
