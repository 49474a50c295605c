import { factsOf, sealOf } from "./completeness/seal.ts";
import type { JournalFolder, OpenFile } from "./folder.ts";
import type { Head } from "./head.ts";

/** The files that a writer appends to, which stay open. */
export interface Files {
  folder: JournalFolder;
  open(name: string): Promise<OpenFile | undefined>;
  /** The facts of the files that have what this process wrote after what was sealed, and nothing else. */
  facts: Map<string, string>;
  /** Seals these files. */
  seal(head: Head): void;
  close(): void;
}

/** Returns the files of a folder, none of which is open yet. */
export function openFiles(folder: JournalFolder): Files {
  const files = new Map<string, OpenFile>();
  const facts = new Map<string, string>();
  return {
    folder,
    facts,
    async open(name) {
      const file = files.get(name) ?? (await folder.open(name, "append"));
      if (file) files.set(name, file);
      return file;
    },
    seal({ files: known }) {
      for (const [name, file] of files) {
        const [reached, seal] = [known[name], facts.get(name) === factsOf(file) ? sealOf(file) : undefined];
        if (reached && seal !== undefined) reached.seal = seal;
        facts.delete(name);
      }
    },
    close() {
      const open = [...files.values()];
      files.clear();
      for (const file of open) file.close();
    },
  };
}
