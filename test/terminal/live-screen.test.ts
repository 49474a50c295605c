import { PassThrough } from "node:stream";
import { createFullScreen } from "../../src/terminal/full-screen.ts";
import { createKeyboard, parseKeys } from "../../src/terminal/keyboard.ts";
import { type LiveEntry, liveScreen } from "../../src/terminal/live-screen.ts";
import { createPainter } from "../../src/terminal/painter.ts";
import type { Stoppable } from "../../src/terminal/streams/output.ts";
import { createStyle } from "../../src/terminal/style.ts";
import { memoryOutput } from "../helpers/memory/output.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";

const HASH = `0x${"ab".repeat(32)}`;

function entry(id: string, more: Partial<LiveEntry> = {}): LiveEntry {
  return {
    id,
    place: ["eth-main-1", "mainnet"],
    facts: ["nonce 8", "1m 12s"],
    phases: [
      { word: "pending", state: "done" },
      { word: "submitted", state: "now" },
      { word: "mined", state: "ahead" },
    ],
    lines: [
      { label: "fee", text: { text: "11.9 gwei, base fee 14.2 gwei: likely too low", tone: "warn" } },
      { label: "hash", text: { text: HASH } },
    ],
    isEnded: false,
    ...more,
  };
}

async function screen(entries: readonly LiveEntry[], more: object = {}) {
  const style = await createStyle(false);
  const terminal = { columns: 80, rows: 22, style, ...more };
  return liveScreen(entries, terminal).split("\n").slice(0, -1);
}

const many = Array.from({ length: 9 }, (_, index) => entry(`tx-${index + 1}`, { isEnded: index < 2 }));

describe("a transaction", () => {
  test("takes a block", async () =>
    expect(await screen([entry("tx-1")])).toEqual([
      "tx-1  eth-main-1 · mainnet · nonce 8 · 1m 12s",
      " ✓ pending  ● submitted  ○ mined",
      " fee   11.9 gwei, base fee 14.2 gwei: likely too low",
      ` hash  ${HASH}`,
    ]));

  test("is wrapped in a narrow terminal, but never inside a hash", async () => {
    const id = "83620d65-864d-4d12-bc0b-d5ff2aaceab2";
    expect(await screen([entry(id)], { columns: 30 })).toEqual([
      id,
      " eth-main-1 · mainnet",
      " nonce 8 · 1m 12s",
      " ✓ pending  ● submitted",
      " ○ mined",
      " fee   11.9 gwei, base fee",
      "       14.2 gwei: likely too",
      "       low",
      " hash",
      `  ${HASH}`,
    ]);
  });

  test("cannot print control characters", async () => {
    const lines = await screen([
      entry("tx-1", { facts: ["\u001b[2J"], lines: [{ label: "why", text: { text: "\u001b]0;x\u0007" } }] }),
    ]);
    expect(lines.join("")).not.toContain("\u001b");
  });
});

describe("several transactions", () => {
  test("take a line each if their blocks do not fit", async () => {
    const low = entry("tx-3", { alert: "fee likely too low" });
    expect(await screen([entry("tx-1"), entry("tx-2"), low], { rows: 8 })).toEqual([
      "● submitted  tx-1  nonce 8 · 1m 12s",
      "● submitted  tx-2  nonce 8 · 1m 12s",
      "● submitted  tx-3  fee likely too low · nonce 8 · 1m 12s",
    ]);
  });

  test("name their relayers if those differ", async () => {
    const other = entry("tx-2", { place: ["base-hot", "base"] });
    const [first, second] = await screen([entry("tx-1"), other], { rows: 2 });
    expect([first, second]).toEqual([
      "● submitted  tx-1  eth-main-1 · mainnet · nonce 8 · 1m 12s",
      "● submitted  tx-2  base-hot · base · nonce 8 · 1m 12s",
    ]);
  });

  test("leave out the facts that do not fit on a line", async () =>
    expect((await screen(many, { columns: 30 }))[0]).toBe("● submitted  tx-1  nonce 8"));

  test("are counted if there are more than fit, those that ended first", async () => {
    const lines = await screen(many, { rows: 5 });
    expect(lines.map((line) => line.split("  ")[1] ?? line)).toEqual([
      "tx-3",
      "tx-4",
      "tx-5",
      "tx-6",
      "and 5 more: 3 in progress, 2 ended",
    ]);
  });
});

const [BEGIN, END] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
const [TOGETHER, SHOWN] = ["\u001b[?2026h", "\u001b[?2026l"];

function shown() {
  const stdout = memoryOutput({ terminal: true, columns: 20, rows: 4, redact: (text) => text });
  const screen = createFullScreen(stdout);
  let at = 0;
  const written = () => {
    const text = stdout.text().slice(at);
    at += text.length;
    return text;
  };
  return { stdout, screen, written };
}

test("the first picture is painted on the alternate screen at once, and of each later one what changed", async () => {
  const { screen, written } = shown();
  expect(await screen.paint(["a", "b", "c", "d"])).toBe(true);
  expect(written()).toBe(
    `${BEGIN}${TOGETHER}\u001b[1;1H\u001b[2Ka\u001b[2;1H\u001b[2Kb\u001b[3;1H\u001b[2Kc\u001b[4;1H\u001b[2Kd${SHOWN}`,
  );
  expect(await screen.paint(["a", "x", "c", "d"])).toBe(true);
  expect(written()).toBe(`${TOGETHER}\u001b[2;1H\u001b[2Kx${SHOWN}`);
});

test("a picture that has not changed writes nothing", async () => {
  const { screen, written } = shown();
  await screen.paint(["a"]);
  written();
  expect([await screen.paint(["a"]), written()]).toEqual([false, ""]);
});

test("a shorter picture clears what was below it", async () => {
  const { screen, written } = shown();
  await screen.paint(["a", "b", "c"]);
  written();
  await screen.paint(["a"]);
  expect(written()).toBe(`${TOGETHER}\u001b[2;1H\u001b[J${SHOWN}`);
});

test("after a resize every row is painted again", async () => {
  const { stdout, screen, written } = shown();
  let losses = 0;
  screen.onLoss(() => losses++);
  await screen.paint(["a", "b"]);
  written();
  stdout.resize(10, 2);
  await screen.paint(["a", "b"]);
  expect([losses, written()]).toEqual([1, `${TOGETHER}\u001b[1;1H\u001b[2Ka\u001b[2;1H\u001b[2Kb${SHOWN}`]);
});

test("the end restores the screen once, and nothing is painted after it", async () => {
  const { screen, written } = shown();
  await screen.paint(["a"]);
  written();
  await screen.end();
  expect([await screen.paint(["b"]), written()]).toEqual([false, END]);
  await screen.end();
  expect(written()).toBe("");
});

describe("the painter", () => {
  const BEGIN = "\u001b[?1049h\u001b[?25l";
  const END = "\u001b[?25h\u001b[?1049l";

  function painting(columns = 20, rows = 6) {
    const stdout = memoryOutput({ terminal: true, columns, rows, redact: (text) => text });
    return { stdout, painter: createPainter(stdout) };
  }

  /** The rows of the last picture. */
  function picture(text: string): string[] {
    const last = text.split("\u001b[H").at(-1) ?? "";
    return last
      .replace("\u001b[J", "")
      .trimEnd()
      .split("\u001b[K\n")
      .filter((row) => row !== "")
      .map((row) => row.replace("\u001b[K", ""));
  }

  test("overwrites the previous picture line by line, and clears the rest of the screen", async () => {
    const { stdout, painter } = painting();
    await painter.paint("one\ntwo\n", "foot");
    await painter.paint("three\n", "foot");
    await painter.end();
    expect(stdout.text()).toBe(
      `${BEGIN}\u001b[Hone\u001b[K\ntwo\u001b[K\nfoot\u001b[K\n\u001b[J` +
        `\u001b[Hthree\u001b[K\nfoot\u001b[K\n\u001b[J${END}`,
    );
  });

  test("writes nothing if it never painted", async () => {
    const { stdout, painter } = painting();
    await painter.end();
    expect(stdout.text()).toBe("");
  });

  test("cuts text that is too long for the screen with a note, and keeps the footer", async () => {
    const { stdout, painter } = painting();
    await painter.paint("1\n2\n3\n4\n5\n6\n", "foot");
    expect(picture(stdout.text())).toEqual(["1", "2", "3", "… 3 more lines", "foot"]);
  });

  test("counts every row of a line that the terminal wraps", async () => {
    const { stdout, painter } = painting();
    await painter.paint(`${"x".repeat(30)}\n2\n3\n4\n`, "foot");
    expect(picture(stdout.text())).toEqual(["x".repeat(30), "2", "… 2 more lines", "foot"]);
  });

  test("escapes the footer and cuts it to one line", async () => {
    const { stdout, painter } = painting();
    await painter.paint("1\n", `no answer: \u001b[2J${"x".repeat(40)}`);
    expect(picture(stdout.text())).toEqual(["1", "no answer: \\u{1b}[2…"]);
  });

  test("shows the footer on a screen with only two rows", async () => {
    const { stdout, painter } = painting(20, 2);
    await painter.paint("1\n2\n", "foot");
    expect(picture(stdout.text())).toEqual(["foot"]);
  });

  test("does not count a link as columns of the screen", async () => {
    const { stdout, painter } = painting(20, 4);
    const link = "\u001b]8;;https://explorer.example.org/tx/0123456789\u001b\\hash\u001b]8;;\u001b\\";
    await painter.paint(`${link}\ntwo\n`, "foot");
    expect(picture(stdout.text())).toEqual([link, "two", "foot"]);
  });
});

test.each([
  ["letters and signs are their own names", "aZ/?é€", ["a", "Z", "/", "?", "é", "€"]],
  ["arrows have names in both modes of a terminal", "\u001b[A\u001bOA\u001b[B\u001bOB", ["up", "up", "down", "down"]],
  ["other keys that move have names", "\u001b[5~\u001b[6~\u001b[H\u001b[F", ["page-up", "page-down", "home", "last"]],
  ["Enter, Escape, and Backspace have names", "\r\u001bx\u007f", ["enter", "escape", "x", "backspace"]],
  ["a letter with Ctrl says so", "\u0003\u0015", ["ctrl-c", "ctrl-u"]],
  ["a response of the terminal is no key", "\u001b[?2026;2$y\u001b[1;5P\u009b", []],
])("%s", (_, typed, keys) => expect(parseKeys(typed, false)).toEqual({ keys, rest: "" }));

function typing() {
  const input = Object.assign(new PassThrough(), {
    modes: [] as boolean[],
    setRawMode: (is: boolean) => input.modes.push(is),
  });
  const parts = new Set<Stoppable>();
  const jobs = {
    stopped: 0,
    stop() {
      jobs.stopped++;
      for (const part of parts) part.leave();
    },
    add(part: Stoppable) {
      parts.add(part);
      return () => parts.delete(part);
    },
    resume: () => parts.forEach((part) => void part.resume()),
  };
  const clock = steppedClock();
  const keys: string[] = [];
  const stop = createKeyboard({ input, jobs, clock }).listen((key) => keys.push(key));
  const type = async (text: string | Uint8Array) => {
    input.write(text);
    await clock.pass(0);
  };
  return { input, jobs, clock, keys, stop, type };
}

test("a key whose sequence arrives in parts is one key, and Escape alone is one after a moment", async () => {
  const { keys, type, clock } = typing();
  await type("\u001b");
  await type("[");
  await type("A");
  expect(keys).toEqual(["up"]);
  await type("\u001b");
  expect(keys).toEqual(["up"]);
  await clock.pass(50);
  expect(keys).toEqual(["up", "escape"]);
});

test("a character whose bytes arrive in parts is one key", async () => {
  const { keys, type } = typing();
  const bytes = new TextEncoder().encode("é");
  await type(bytes.subarray(0, 1));
  await type(bytes.subarray(1));
  expect(keys).toEqual(["é"]);
});

test("Ctrl-Z gives the terminal back and stops the process, and what is typed until it continues is dropped", async () => {
  const { keys, type, jobs, input, clock } = typing();
  await type("\u001ay");
  expect([jobs.stopped, input.modes]).toEqual([1, [true, false]]);
  jobs.resume();
  await type("y");
  // What a shell had in its line arrives later than the signal.
  await clock.pass(49);
  await type("y");
  await clock.pass(1);
  await type("j");
  expect([keys, input.modes]).toEqual([["j"], [true, false, true]]);
});

test("keys arrive until the terminal is given back, and so does the end of the input", async () => {
  const { keys, type, stop, input } = typing();
  stop();
  await type("a");
  expect([keys, input.modes]).toEqual([[], [true, false]]);
  const other = typing();
  other.input.end();
  await other.clock.pass(0);
  expect(other.keys).toEqual(["end"]);
});
