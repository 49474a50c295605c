import { RelayctlError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { contentsOf } from "../file/content.ts";
import { chooseRun } from "./choose-run.ts";
import type { Running } from "./running.ts";

/**
 * Records that a run begins, or that the one with this ID is resumed, and returns its ID. While the user was asked, another
 * process may have begun to pay the same from another file or with another folder: a new run looks once more, and no two
 * look and begin at the same time.
 * @throws RelayctlError conflict; io if it cannot be recorded
 */
export async function beginRun(running: Running, resumed: string | undefined): Promise<string> {
  const { world, payerId, plan, resumeLine } = running;
  const { file, path } = plan;
  const { sha256, payments, total } = file;
  const record = () =>
    world.begin({ file: path, sha256, rows: payments.length, total: String(total), ...contentsOf(payments) }, resumed);
  if (resumed !== undefined) return await record();
  const { journal, usualJournal } = world;
  return await alone(usualJournal, () =>
    journal.exclusively(KEY, async () => {
      await chooseRun(world, payerId, { ...plan, resumeLine });
      return await record();
    }),
  );
}

/** The key of the lock in both journals. */
const KEY = "beginning of payments";

/** A journal that cannot be written notes no run, and locks none. */
async function alone(journal: Journal | undefined, work: () => Promise<string>): Promise<string> {
  let isLocked = false;
  const workAlone = () => {
    isLocked = true;
    return work();
  };
  try {
    return journal ? await journal.exclusively(KEY, workAlone) : await work();
  } catch (error) {
    if (isLocked || !(error instanceof RelayctlError) || error.failure !== "io") throw error;
    return await work();
  }
}
