import { TestRunner } from "vitest";
import { COMMAND } from "./figure.ts";
import { type Captured, faultsOf } from "./scan.ts";

declare module "vitest" {
  interface TaskMeta {
    /** How many outputs of the program this test captured; each was searched. */
    searched?: number;
    /** What was typed to run the tests. */
    command?: string;
  }
}

/** Returns what a run of the program left, after searching it. All tests of the program end here. @throws Error */
export function checked<T extends Omit<Captured, "command">>(command: string | readonly string[], captured: T): T {
  const line = typeof command === "string" ? command : command.join(" ");
  const faults = faultsOf({ ...captured, command: line });
  if (faults.length > 0)
    throw new Error(`relayctl ${line}\n${faults.join("\n")}\nstdout: ${captured.stdout}\nstderr: ${captured.stderr}`);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta) Object.assign(meta, { searched: (meta.searched ?? 0) + 1, command: COMMAND });
  return captured;
}
