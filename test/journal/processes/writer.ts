import { markMasked } from "../../../src/contract/secret-fields.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { realSurroundings } from "../../config/surroundings.ts";
import { intent } from "../entries.ts";

/**
 * Appends entries to a journal, several at a time, and prints the ID of each written entry. Arguments: the folder, its
 * name, the number of entries, how many wait at the same time, and `followed` to keep the lock in between.
 */
async function main(): Promise<void> {
  const { clock, ...others } = realSurroundings();
  // A busy machine, or a slow disk, does not end the patience with the lock.
  const surroundings = { ...others, clock: { ...clock, elapsed: () => clock.elapsed() / 60 } };
  const [path = "", name = "", count = "", atOnce = "", followed = ""] = process.argv.slice(2);
  const journal = openJournal({
    path,
    user: process.getuid?.(),
    note: async () => {},
    surroundings,
  });
  for (let index = 0; index < Number(count); index += Number(atOnce)) {
    const ids = Array.from({ length: Number(atOnce) }, (_, offset) => `${name}-${index + offset}`);
    await Promise.all(
      ids.map(async (id) => {
        await journal.append(markMasked(intent(id)), { isSynced: id.endsWith("0"), isFollowed: followed !== "" });
        process.stdout.write(`${id}\n`);
      }),
    );
  }
}

void main();
