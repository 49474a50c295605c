import type { Clock } from "./client/clock.ts";
import type { JobControl, Stoppable } from "./terminal/streams/output.ts";
import { LATE_SIGNALS } from "./timing.ts";

/** Creates this process's job control, where a crash leaves the terminal, too. Signals are only handled for registered parts. */
export function createJobControl(clock: Clock): JobControl {
  const parts = new Set<Stoppable>();
  const byGroup = () => stop(0);
  const bySignal = () => stop(process.pid);
  const leave = () => {
    for (const part of parts) part.leave();
  };
  const quit = () => {
    leave();
    // Without a listener, the signal ends the process.
    process.off("SIGQUIT", quit);
    process.kill(process.pid, "SIGQUIT");
  };
  const stop = (target: number) => {
    leave();
    // Without a listener, the signal stops the process.
    process.off("SIGTSTP", bySignal);
    let isResumed = false;
    const resume = () => {
      if (isResumed) return;
      isResumed = true;
      process.off("SIGCONT", resume);
      if (parts.size > 0) process.on("SIGTSTP", bySignal);
      // Only the shell hears of a new size while it has the terminal, and Node measures again only at a signal.
      process.emit("SIGWINCH");
      for (const part of parts) part.resume();
    };
    process.on("SIGCONT", resume);
    process.kill(target, "SIGTSTP");
    // A group without a shell cannot be stopped, and never continues. After a stop, this runs once it has continued.
    void clock.sleep(LATE_SIGNALS).then(resume);
  };
  return {
    stop: byGroup,
    add(part) {
      if (parts.size === 0) process.on("SIGTSTP", bySignal).on("SIGQUIT", quit).on("uncaughtExceptionMonitor", leave);
      parts.add(part);
      return () => {
        parts.delete(part);
        if (parts.size === 0)
          process.off("SIGTSTP", bySignal).off("SIGQUIT", quit).off("uncaughtExceptionMonitor", leave);
      };
    },
  };
}

/** This process, and whether others run, even another user's, which can't be signaled. */
export const processes = {
  own: process.pid,
  startOf: processStart,
  host: () => process.getBuiltinModule("node:os").hostname(),
  isRunning(other: number): boolean {
    try {
      return process.kill(other, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
};

/** Returns when a process started, in Linux ticks or as `ps` prints it, if either shows it. */
function processStart(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") {
      const { execFileSync } = process.getBuiltinModule("node:child_process");
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { stdio: "pipe", encoding: "utf8" }).trim();
    }
    const stat = process.getBuiltinModule("node:fs").readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before the last parenthesis may contain anything (proc(5)).
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[STARTED];
  } catch {
    return undefined;
  }
}

const STARTED = 19;

/** Returns the user's and the host's names, and this process. A user without a name has a number. */
export function whoRuns() {
  const { hostname, userInfo } = process.getBuiltinModule("node:os");
  const started = processStart(process.pid);
  const rest = { host: hostname(), pid: process.pid, ...(started !== undefined && { started }) };
  try {
    return { user: userInfo().username, ...rest };
  } catch {
    return { user: String(process.getuid?.() ?? ""), ...rest };
  }
}
