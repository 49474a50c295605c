import { openChain } from "../../../chain/open-chain.ts";
import { diagnoseEvidence } from "../../../chain/queue/diagnose.ts";
import type { Diagnosis } from "../../../chain/queue/diagnosis.ts";
import { type QueueSource, readQueue } from "../../../chain/queue/read-queue.ts";
import {
  independentlyStuck,
  type Listed,
  type StuckRequest,
  type StuckTransaction,
  stuckInQueue,
} from "../../../chain/queue/stuck-transactions.ts";
import { countReads } from "../../../client/bulk/count-reads.ts";
import { bulkFailure, type Run } from "../../../client/bulk/run-all.ts";
import { collectItems } from "../../../client/pagination/collect.ts";
import { coinSymbolsFor } from "../../../coins/coin-symbol.ts";
import { showIfDryRun } from "../../../command-support/shown.ts";
import { isPositive } from "../../../contract/amount.ts";
import { operations } from "../../../contract/operations.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { selectRelayers } from "../../../relayer-state/health.ts";
import { queueStepCommand } from "../../../relayer-state/step-words.ts";
import { collectById, collectPending } from "../../../session/collect.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { listFrom, type Page, type View } from "../../../terminal/view.ts";
import { stuckViewIn, stuckWithoutWaiting } from "../../../views/transaction/stuck.ts";
import { drawsSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";

const AT_ONCE = 8;
const MOST_NEXT = 5;

export async function listStuck(call: Call, { ids, older, isWhole = isWholeList(call) }: StuckRequest): Promise<View> {
  const shown = await showIfDryRun(call, { operation: operations["relayers.list"] });
  if (shown) return shown;
  const session = await call.session();
  const all = await collectById<Relayer>(session.client.relayers.list());
  const relayers = ids ? selectRelayers(all, ids, session) : all;
  const { clock, interrupt } = call.app;
  const now = clock.now();
  const run = countReads(
    relayers.map((relayer) => ({ id: relayer.id, run: () => readStuck(session, { relayer, older }, now) })),
    { concurrency: AT_ONCE, interrupt, clock, count: call.count },
  );
  const freeing = new Set<string>();
  let symbols: ReadonlyMap<string, string | undefined> = new Map();
  const found = async ({ rows, free }: StuckRelayer) => {
    const hasCoin = drawsSymbol(call) && rows.some((each) => isPositive(each.value));
    if (hasCoin && symbols.size === 0) symbols = await coinSymbolsFor(session, relayers);
    if (free !== null && rows.some(({ next }) => next !== null)) freeing.add(free);
    return rows;
  };
  async function* pages({ results }: Run<StuckRelayer>): AsyncGenerator<Page> {
    for await (const { value = NOTHING_STUCK, error } of results) {
      if (error) view.nothing = null;
      const rows = await found(value);
      if (rows.length > 0) yield { items: rows, total: undefined, body: NOTHING };
    }
    if (interrupt.aborted) view.nothing = null;
  }
  const resource = stuckViewIn((network) => symbols.get(String(network)), isWhole);
  const view = listFrom(session, resource, pages(run), {
    nothing: `nothing is stuck in ${session.name}`,
    ...(!isWhole && { rows: stuckWithoutWaiting }),
    async ending() {
      const failure = bulkFailure(await run.done, "relayers", interrupt, { writes: false });
      return { next: [...freeing].slice(0, MOST_NEXT).map((next) => ({ next })), failure };
    },
  });
  return view;
}

const NOTHING = new Uint8Array();

interface StuckRelayer {
  rows: readonly StuckTransaction[];
  free: string | null;
}

const NOTHING_STUCK: StuckRelayer = { rows: [], free: null };

/** Returns whether every transaction gets a row: a terminal only counts those that wait for a listed one. */
function isWholeList({ app, output: { format, fields, query, where, sort } }: Call): boolean {
  return !app.stdout.isTerminal || [format, fields, query, sort, where?.[0]].some((given) => given !== undefined);
}

async function readStuck(session: Session, wanted: Listed, now: number): Promise<StuckRelayer> {
  const { client } = session;
  const { id, network_type: kind } = wanted.relayer;
  const pending = await collectPending(client, id);
  if (pending.length === 0) return NOTHING_STUCK;
  if (kind === "solana" || kind === "stellar") return { rows: independentlyStuck(wanted, pending, now), free: null };
  const found = await diagnoseStuckRelayer({ session, relayerId: id, now }, async (isWanted) =>
    (await collectItems(client.tx.list(id), isWanted)).reverse(),
  );
  const place = { id, flags: session.flags };
  const rows = stuckInQueue(wanted, found, stuckNextCommand(found.diagnosis, place));
  return { rows, free: stuckFreeingCommand(found.diagnosis, place) };
}

interface DiagnosedRelayer {
  session: Pick<Session, "client" | "ownNode">;
  relayerId: string;
  /** Milliseconds since 1970. */
  now: number;
}

export async function diagnoseStuckRelayer(
  { session, relayerId, now }: DiagnosedRelayer,
  listRecords: QueueSource["listRecords"],
) {
  const { client } = session;
  const chain = await openChain({ client, relayerId, ownNode: session.ownNode });
  const { evidence } = await readQueue({ client, relayerId, chain, listRecords, now });
  return { evidence, diagnosis: diagnoseEvidence(evidence) };
}

interface Place {
  id: string;
  flags: readonly string[];
}

export function stuckNextCommand({ isStuck, steps }: Diagnosis, { id, flags }: Place): string | null {
  if (isStuck === false) return null;
  const [command] = steps.flatMap((step) => queueStepCommand(step, { relayerId: id, flags }) ?? []);
  return command ?? commandLine(...flags, "relayers", "unstick", id, "--dry-run");
}

/** Returns the command that frees the queue as a whole, for people: `unstick` also bumps, and waits for the rest. */
export function stuckFreeingCommand(diagnosis: Diagnosis, place: Place): string | null {
  const isBump = diagnosis.isStuck !== false && diagnosis.steps[0]?.action === "bump";
  return isBump ? commandLine(...place.flags, "relayers", "unstick", place.id) : stuckNextCommand(diagnosis, place);
}
