import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { BIN } from "../../e2e/relayctl.ts";
import { checked } from "../../helpers/checked.ts";
import { type Ended, type Runner, TOKEN } from "../world.ts";

/** A run of the built program, and the most memory that it had. */
export interface Measured extends Ended {
  /** MiB that were resident. */
  peak: number;
  /** Milliseconds from start to end. */
  took: number;
}

/** The built program in a process of its own, in a folder of its own, with nothing of this machine in its environment. */
export const runBuilt: Runner = (argv, world) => inFolder((folder) => start(folder, argv, world, {}));

/** The same, told how much memory it took. */
export const runMeasured = (argv: readonly string[], world: Parameters<Runner>[1]): Promise<Measured> =>
  inFolder(async (folder) => {
    const report = join(folder, "peak");
    const began = performance.now();
    const ended = await start(folder, argv, world, {
      NODE_OPTIONS: `--require ${join(import.meta.dirname, "report-peak.cjs")}`,
      PEAK_REPORT: report,
    });
    const took = performance.now() - began;
    return { ...ended, took, peak: Number(readFileSync(report, "utf8")) / 1024 };
  });

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-faults-"));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(
  folder: string,
  argv: readonly string[],
  { origin, files = {}, env = {} }: Parameters<Runner>[1],
  more: Readonly<Record<string, string>>,
): Promise<Ended> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const own = { HOME: folder, RELAYCTL_CONFIG_DIR: folder, RELAYCTL_SERVER: origin, RELAYCTL_TOKEN: TOKEN };
  const { exitCode, stdout, stderr } = await execa(process.execPath, [BIN, ...argv], {
    cwd: folder,
    env: { ...own, ...env, ...more },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    stripFinalNewline: false,
  });
  return checked(argv, { exitCode: exitCode ?? -1, stdout, stderr });
}
