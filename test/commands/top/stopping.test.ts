import { PassThrough } from "node:stream";
import { createJobControl } from "../../../src/job-control.ts";
import { createKeyboard } from "../../../src/terminal/keyboard.ts";
import { createScreen } from "../../e2e/terminal/screen.ts";
import { DEEP } from "../../helpers/deep.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { shownTop } from "./shown-top.ts";

const CTRL_Z = "\u001a";
const [BEGIN, END] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
const SIGNALS = ["SIGTSTP", "SIGCONT", "SIGWINCH"] as const;

/** What a shell sees, and does, while the program is stopped. */
let stopped: (target: number) => void;
beforeEach(() => {
  vi.spyOn(process, "kill").mockImplementation((target) => {
    stopped(target);
    return true;
  });
});
afterEach(() => void vi.restoreAllMocks());

/** Runs `top` with the keyboard and the job control of the program, on a terminal that the test resizes. */
async function stoppable(columns = 110) {
  const clock = steppedClock();
  const jobs = createJobControl(clock);
  const modes = { isRaw: false };
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => Object.assign(modes, { isRaw }) });
  const keyboard = createKeyboard({ input, jobs, clock });
  const top = await shownTop("--demo top --every 60s", { keyboard, jobs, columns, rows: 20 }, clock);
  const size = { columns };
  // Node measures the terminal at this signal, which a process in the background does not get.
  const measure = () => top.stdout.resize(size.columns, 20);
  process.on("SIGWINCH", measure);
  return {
    ...{ top, modes, input, clock },
    /** Sets a size without an event. */
    setColumns: (to: number) => Object.assign(size, { columns: to }),
    async quit() {
      process.off("SIGWINCH", measure);
      input.write("q");
      await top.pass(1);
      return await top.ended;
    },
  };
}

function rowsOf(painted: string, columns: number): string {
  const screen = createScreen(columns);
  screen.write(painted);
  const lines = screen.lines();
  expect(lines[0]).toHaveLength(columns);
  return lines.join("\n");
}

/** As many times, nothing is left over that grows. */
const TIMES = DEEP ? 200 : 40;

test("time after time, Ctrl-Z restores the terminal, and fg measures it, paints all of it, and drops what was typed", async () => {
  const { top, modes, input, clock, setColumns, quit } = await stoppable();
  const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));
  await top.pass(2);
  const before = listeners();
  for (let round = 1; round <= TIMES; round++) {
    let at = 0;
    const stops: unknown[] = [];
    stopped = (target) => {
      const text = top.stdout.text();
      at = text.length;
      stops.push([target, modes.isRaw, text.endsWith(END)]);
    };
    input.write(`${CTRL_Z}q`);
    await clock.pass(0);
    // The whole group is stopped, with the modes of a shell.
    expect(stops).toEqual([[0, false, true]]);
    setColumns(40 + round);
    input.write("q");
    process.emit("SIGCONT");
    input.write("q");
    await clock.pass(600);
    const painted = top.stdout.text().slice(at);
    expect([modes.isRaw, painted.lastIndexOf(BEGIN), painted.includes(END)]).toEqual([true, 0, false]);
    const [picture = ""] = painted.split("\u001b[?2026l");
    expect(picture.match(/\u001b\[\d+;1H\u001b\[2K/g)).toHaveLength(20);
    if (round % 20 === 0) expect(rowsOf(painted, 40 + round)).toMatch(/^demo.{1,}\n.*\n[✗‖!●] \S/);
    expect(listeners()).toEqual(before);
  }
  const { exitCode, stderr } = await quit();
  expect([exitCode, stderr, modes.isRaw, top.stdout.text().endsWith(END)]).toEqual([0, "", false, true]);
  expect(process.listenerCount("SIGTSTP")).toBe((before[0] ?? 0) - 1);
});

test("what is typed with Ctrl-Z, or until fg, does not agree to the question of p", async () => {
  const { top, input, clock, quit } = await stoppable();
  stopped = () => {};
  await top.pass(2);
  input.write("p");
  await top.pass(1);
  input.write(`${CTRL_Z}y`);
  await clock.pass(0);
  input.write("y");
  process.emit("SIGCONT");
  input.write("y");
  await top.pass(1);
  expect(top.shown()).toMatch(/\? Pause \S+ in demo\? \[y\/N\]$/);
  input.write("n");
  await top.pass(1);
  expect(top.shown()).toContain("Canceled. Nothing was sent.");
  expect(top.requests.some(({ method }) => method === "PATCH")).toBe(false);
  expect((await quit()).exitCode).toBe(0);
});

test("what arrives together with a key neither agrees to its question nor starts a second command", async () => {
  const { top, input, quit } = await stoppable();
  await top.pass(2);
  input.write("py");
  await top.pass(1);
  expect(top.shown()).toMatch(/\? Pause \S+ in demo\? \[y\/N\]$/);
  input.write("n");
  await top.pass(1);
  input.write("dd");
  await top.sees(/press any key/);
  expect(top.stderr.text().match(/^\$ relayctl/gm)).toHaveLength(1);
  expect(top.requests.some(({ method }) => method === "PATCH")).toBe(false);
  input.write("x");
  await top.pass(1);
  expect((await quit()).exitCode).toBe(0);
});

test("SIGQUIT leaves the screen, and then ends the program", async () => {
  // A program of another test may not have ended yet.
  process.removeAllListeners("SIGQUIT");
  const { top, modes } = await stoppable();
  const ends: unknown[] = [];
  await top.pass(2);
  stopped = (target) =>
    ends.push([target === process.pid, process.listenerCount("SIGQUIT"), modes.isRaw, top.stdout.text().endsWith(END)]);
  process.emit("SIGQUIT");
  expect(ends).toEqual([[true, 0, false, true]]);
  top.interrupt.abort("interrupted");
  await top.ended;
});

test("a signal that stops the program alone leaves the screen too, and is not sent to its group", async () => {
  const { top, modes, clock, quit } = await stoppable();
  const stops: unknown[] = [];
  stopped = (target) => stops.push([target === process.pid, modes.isRaw, top.stdout.text().endsWith(END)]);
  await top.pass(2);
  process.emit("SIGTSTP");
  expect(stops).toEqual([[true, false, true]]);
  process.emit("SIGCONT");
  await clock.pass(600);
  expect([modes.isRaw, top.stdout.text().endsWith(END)]).toEqual([true, false]);
  expect((await quit()).exitCode).toBe(0);
});

test("if nothing can stop the program, e.g. without a shell, the screen comes back", async () => {
  const { top, modes, input, clock, quit } = await stoppable();
  stopped = () => {};
  await top.pass(2);
  input.write(CTRL_Z);
  await clock.pass(0);
  expect([modes.isRaw, top.stdout.text().endsWith(END)]).toEqual([false, true]);
  await top.pass(1);
  expect([modes.isRaw, top.stdout.text().endsWith(END)]).toEqual([true, false]);
  expect((await quit()).exitCode).toBe(0);
});

test("an exception that nothing catches leaves the screen before Node prints it", async () => {
  const { top, modes } = await stoppable();
  await top.pass(2);
  (process as NodeJS.EventEmitter).emit("uncaughtExceptionMonitor", new TypeError("a defect"), "uncaughtException");
  expect([modes.isRaw, top.stdout.text().endsWith(END)]).toEqual([false, true]);
  top.interrupt.abort("interrupted");
  await top.ended;
  expect(process.listenerCount("uncaughtExceptionMonitor")).toBe(0);
});

test("a closed terminal ends the command, with the exit code of its signal or of q", async () => {
  const { top, input, quit } = await stoppable();
  await top.pass(2);
  input.end();
  await top.pass(1);
  expect(await top.ended).toMatchObject({ exitCode: 0 });
  await quit();
});
