import { fileErrorCode } from "../../config/files/file-error.ts";
import type { LockWorld } from "../../config/files/lock.ts";
import { RelayctlError } from "../../errors.ts";
import { catchUp } from "../batch-writer.ts";
import type { JournalFolder } from "../folder.ts";
import { withFolderLock } from "../folder-lock.ts";
import {
  blockOldJournalWriters,
  type Head,
  hasHeadTraces,
  headFacts,
  headSeal,
  readJournalHead,
  writeJournalHead,
} from "../head.ts";

/** @throws RelayctlError io with what is missing that the journal acknowledged */
export async function requireComplete(
  folder: JournalFolder,
  surroundings: LockWorld,
  { isReadOnly = false }: { isReadOnly?: boolean },
): Promise<void> {
  const known = await readJournalHead(folder);
  if (known ? await areSealed(folder, known.head) : !hasHeadTraces(folder)) return;
  const { verifyJournal } = await import("./verify.ts");
  const { found, facts } = await verifyJournal(folder);
  const { fault } = found;
  if (fault && !fault.isTorn) throw new RelayctlError("io", `the journal was damaged: ${fault.file}: ${fault.words}`);
  if (isReadOnly) return;
  try {
    await withFolderLock(folder, surroundings, () => sealFiles(folder, facts, surroundings.random.uuid()));
  } catch (error) {
    // The next command reads all lines again.
    if (!(error instanceof RelayctlError) && fileErrorCode(error) === undefined) throw error;
  }
}

async function areSealed(folder: JournalFolder, { files, lost }: Head): Promise<boolean> {
  if (lost) return false;
  for (const name of new Set([...(await folder.months()), ...Object.keys(files)])) {
    const file = await folder.open(name, "read");
    if (!file && files[name]?.lines === 0) continue;
    const facts = file && headFacts(file);
    file?.close();
    if (facts === undefined || facts !== files[name]?.seal) return false;
  }
  return true;
}

async function sealFiles(folder: JournalFolder, facts: ReadonlyMap<string, string>, unique: string): Promise<void> {
  const known = await readJournalHead(folder);
  if (!known) return;
  const { head } = known;
  await catchUp(folder, head);
  for (const [name, seen] of facts) {
    const [reached, file] = [head.files[name], await folder.open(name, "append")];
    const seal = file && headFacts(file) === seen ? headSeal(file) : undefined;
    file?.close();
    if (reached && seal !== undefined) reached.seal = seal;
  }
  writeJournalHead(folder, head, unique);
  blockOldJournalWriters(folder);
}
