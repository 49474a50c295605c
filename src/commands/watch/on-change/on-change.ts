import type { App } from "../../../app.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import type { Message } from "../../../message.ts";
import { ON_CHANGE_TIMEOUT, ON_CHANGE_WARNING_SPACING } from "../../../timing.ts";

const LONGEST_QUEUE = 1_000;
/** The most bytes that a run of the program may print to stderr. */
const MAX_BYTES = 64 * 1024;
const MOST_LINES = 20;

/** Creates the queue of a program, with its stderr shown, and at most one warning per minute. */
export function createOnChangeQueue(
  { clock, execute, interrupt, secrets }: Pick<App, "clock" | "execute" | "interrupt" | "secrets">,
  argv: readonly string[],
  note: (line: Message) => Promise<void>,
) {
  const [program = ""] = argv;
  const stop = new AbortController();
  const isStopped = () => stop.signal.aborted || interrupt.aborted;
  // A line that cannot be shown ends neither the program nor the watch.
  const say = (line: Message) => note(line).catch(() => {});
  const waiting: string[] = [];
  let running: Promise<void> | undefined;
  let hasDropped = false;
  let failures = 0;
  let quietUntil = 0;

  const maskedLine = (line: string) => new TextDecoder().decode(secrets.masked(new TextEncoder().encode(line)));

  const warn = async (problem: string) => {
    failures++;
    if (clock.elapsed() < quietUntil) return;
    quietUntil = clock.elapsed() + ON_CHANGE_WARNING_SPACING;
    const count = failures === 1 ? "" : ` (${failures} failures since the last warning)`;
    failures = 0;
    await say({ warning: `--on-change ${program} failed: ${problem}${count}` });
  };
  const runOnce = async (input: string) => {
    const limits = { timeout: ON_CHANGE_TIMEOUT, maxBytes: MAX_BYTES, input, stop: stop.signal };
    const { stderr = "", problem } = await execute(argv, limits);
    if (isStopped()) return;
    const lines = stderr.split(/\r?\n/).filter((line) => line !== "");
    for (const line of lines.slice(0, MOST_LINES)) await say(`${program}: ${line}`);
    if (lines.length > MOST_LINES) await say(`${program}: ${groupDigits(lines.length - MOST_LINES)} more lines`);
    if (problem !== undefined) await warn(problem);
  };
  const runAll = async () => {
    for (let line = waiting.shift(); line !== undefined && !isStopped(); line = waiting.shift()) await runOnce(line);
    running = undefined;
  };

  return {
    add(line: string) {
      waiting.push(maskedLine(line));
      if (waiting.length > LONGEST_QUEUE) {
        waiting.shift();
        if (!hasDropped) void say({ warning: `--on-change ${program} is too slow: the oldest events are dropped` });
        hasDropped = true;
      }
      running ??= runAll();
    },
    idle: async () => await running,
    async end() {
      stop.abort();
      await running;
    },
  };
}
