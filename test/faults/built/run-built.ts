import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { forProgram, PROGRAM } from "../../e2e/program.ts";
import { checked } from "../../helpers/checked.ts";
import { removeFolder } from "../../helpers/remove-folder.ts";
import { ENDED_BY_SIGNAL } from "../../helpers/time-up.ts";
import { type Ended, type Runner, TOKEN } from "../world.ts";

/** A run of the built program, and the most memory that it had. */
export interface Measured extends Ended {
  /** MiB that were resident. */
  peak: number;
}

/** Runs the built program in a separate process and folder, with nothing of this machine in its environment. */
export const runBuilt: Runner = (argv, world) => inFolder((folder) => start(folder, argv, world));

const REPORTS_PEAK = `--require ${join(import.meta.dirname, "report-peak.cjs")}`;

/** The same, with the memory that it took. */
export const runMeasured = (argv: readonly string[], world: Parameters<Runner>[1]): Promise<Measured> =>
  inFolder(async (folder) => {
    const report = join(folder, "peak");
    const ended = await start(folder, argv, world, { options: [REPORTS_PEAK], env: { PEAK_REPORT: report } });
    return { ...ended, peak: Number(readFileSync(report, "utf8")) / 1024 };
  });

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-faults-"));
  try {
    return await act(folder);
  } finally {
    removeFolder(folder);
  }
}

async function start(
  folder: string,
  argv: readonly string[],
  { origin, files = {}, env = {}, timeUp }: Parameters<Runner>[1],
  more: { options: readonly string[]; env: Readonly<Record<string, string>> } = { options: [], env: {} },
): Promise<Ended> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const options = [...more.options, ...(timeUp ? [ENDED_BY_SIGNAL] : []), env.NODE_OPTIONS ?? ""];
  const own = { HOME: folder, RELAYCTL_CONFIG_DIR: folder, RELAYCTL_SERVER: origin, RELAYCTL_TOKEN: TOKEN };
  const [program, ...words] = PROGRAM;
  const child = execa(program, [...words, ...argv], {
    cwd: folder,
    env: forProgram({ ...own, ...env, ...more.env, NODE_OPTIONS: options.join(" ") }),
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    stripFinalNewline: false,
  });
  const over = new AbortController();
  void endAttempts(child, over.signal, timeUp);
  const { exitCode, stdout, stderr } = await child;
  over.abort();
  return checked(argv, { exitCode: exitCode ?? -1, stdout, stderr });
}

/** Reports to the program each time that the time for an attempt is up. */
async function endAttempts(
  child: { kill(signal: "SIGUSR2"): boolean },
  over: AbortSignal,
  timeUp: Parameters<Runner>[1]["timeUp"],
): Promise<void> {
  while (timeUp && !over.aborted) {
    await timeUp(over);
    if (!over.aborted) child.kill("SIGUSR2");
  }
}
