import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { PAGER_START } from "../../timing.ts";
import { type Environment, programEnvironment } from "../environment.ts";
import { programStartProblem } from "../token/run-program.ts";

export interface RunningPager {
  input: Writable;
  /** Ends its input and waits until the user has quit. @returns why it failed, or undefined */
  close(): Promise<string | undefined>;
}

export interface PagerEnvironment {
  env: Environment;
  interrupt: AbortSignal;
  clock: { sleep(milliseconds: number, signal?: AbortSignal): Promise<void> };
  /** Runs a function that uses the terminal exclusively, including Ctrl-C. */
  lendTerminal<T>(use: () => Promise<T>): Promise<T>;
}

/** Starts the user's pager, without a shell; undefined if it is off, or the problem if it fails. */
export async function startPager({
  env,
  interrupt,
  clock,
  lendTerminal,
}: PagerEnvironment): Promise<RunningPager | { problem: string } | undefined> {
  const command = pagerCommand(env);
  // SIGTERM and SIGHUP end the process, and the pager would wait for a user.
  const isEnding = interrupt.aborted && interrupt.reason !== "interrupted";
  if (!command || isEnding) return undefined;
  const [program = "", ...args] = command;
  // As gh and git do: quit if all fits, keep colors, and leave the text on the screen. The text is UTF-8 in any locale.
  const usual = { LESS: "FRX", LV: "-c", LESSCHARSET: "utf-8" };
  const child = spawn(program, args, {
    env: { ...usual, ...programEnvironment(env) },
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.on("error", () => {});
  const problem = await awaitStart(child);
  if (problem !== undefined) return { problem };
  const end = () => void child.kill("SIGTERM");
  interrupt.addEventListener("abort", end, { once: true });
  const status = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lent = lendTerminal(() => status);
  const ending = lent.then((ended) => {
    interrupt.removeEventListener("abort", end);
    return ended === 0 || ended === null ? undefined : `it ended with status ${ended}`;
  });
  const waiting = new AbortController();
  const early = await Promise.race([ending, clock.sleep(PAGER_START, waiting.signal)]);
  waiting.abort();
  if (early !== undefined) return { problem: early };
  return {
    input: child.stdin,
    async close() {
      child.stdin.end();
      return await ending;
    },
  };
}

function awaitStart(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", (error) => resolve(programStartProblem(error)));
  });
}

/** Returns the user's pager as words: `$RELAYCTL_PAGER`, `$PAGER`, or `less`; undefined for none, e.g. `cat`. */
function pagerCommand(env: Environment): string[] | undefined {
  const typed = env.RELAYCTL_PAGER ?? env.PAGER ?? "less";
  const words = typed.split(/\s+/).filter((word) => word !== "");
  return words.length === 0 || words[0] === "cat" || env.TERM === "dumb" ? undefined : words;
}
