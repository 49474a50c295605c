import { type Completed, runAll } from "../client/bulk/run-all.ts";
import type { Client } from "../client/client.ts";
import { idProblem } from "../contract/id.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { type Failure, RelayctlError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { Thing } from "./thing.ts";
import type { Hit } from "./view.ts";

const AT_ONCE = 8;

export interface Search {
  session: Session;
  client: Client;
  thing: Thing;
  interrupt: AbortSignal;
  hits: Hit[];
  /** The parts that were searched, and those that could not be. */
  parts: Completed<true>[];
}

/** Failures that end the whole search: every other part would fail too. */
const ENDS: readonly Failure[] = ["auth", "interrupted"];

/** Searches one part. Its failure hides no other part. @throws RelayctlError auth; interrupted */
export async function searchPart<T>({ parts }: Search, id: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    const value = await read();
    parts.push({ id, value: true });
    return value;
  } catch (error) {
    if (!(error instanceof RelayctlError) || ENDS.includes(error.failure)) throw error;
    parts.push({ id, error });
    return undefined;
  }
}

/** Searches relayers, several at a time. @param isOver called before each relayer: whether the rest needs no search */
export async function searchRelayers(
  search: Search,
  relayers: readonly Relayer[],
  read: (relayer: Relayer) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const jobs = relayers.map((relayer) => ({
    id: relayer.id,
    run: async () => {
      if (isOver()) return;
      await searchPart(search, relayer.id, async () => {
        const problem = idProblem(relayer.id);
        if (problem !== undefined) throw new RelayctlError("server", `the relayer's ID ${problem}`);
        await read(relayer);
      });
    },
  }));
  const { interrupt } = search;
  const completed = await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  const stopped = completed.find(({ error }) => error)?.error;
  if (stopped ?? interrupt.aborted) throw stopped ?? new RelayctlError("interrupted", "interrupted while searching");
}
