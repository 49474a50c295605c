import { spawn } from "node:child_process";
import { join } from "node:path";

/** No line may take longer, in milliseconds. */
const LIMIT = 300_000;
/** So much of what a line says on stderr is kept to explain a failure. */
const KEPT_WORDS = 400;

/**
 * Runs a line of bash several times, in which `relayctl` is the built program, and returns the seconds per run: wall time, and CPU time
 * including finished child processes. A server that ran already is not included.
 */
export async function timed(world, line, { env = world.env, repeat = 1 } = {}) {
  const [user, system, microseconds] = (await bash(world, ["timed.bash", line, repeat], env)).split(/\s+/).map(Number);
  return { wall: microseconds / 1e6 / repeat, cpu: (user + system) / repeat };
}

/** Runs a line of bash and counts the lines that it prints. */
export async function counted(world, line, env = world.env) {
  return Number(await bash(world, ["counted.bash", line], env));
}

/** Runs a script of this folder in a separate process group, which ends as a whole. */
function bash({ signal }, [script, ...args], env) {
  signal.throwIfAborted();
  const child = spawn("bash", [join(import.meta.dirname, script), ...args], {
    env,
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const said = collect(child.stderr);
  const told = collect(child.stdio[3]);
  const end = () => endGroup(child.pid);
  const timer = setTimeout(end, LIMIT);
  signal.addEventListener("abort", end);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, by) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      if (code === 0) resolve(told().trim());
      else reject(new Error(`ended with ${code ?? by}: ${said().trim().slice(-KEPT_WORDS)}`));
    });
  });
}

function collect(stream) {
  let text = "";
  stream.setEncoding("utf8").on("data", (part) => {
    text = (text + part).slice(-10 * KEPT_WORDS);
  });
  return () => text;
}

/** It may have ended by itself meanwhile. */
function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
