import type { ApiResult } from "../../../client/api-result.ts";
import { type Completed, runAll } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import type { Clock } from "../../../client/clock.ts";
import { withHint } from "../../../command-support/receipt.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import { pendingNow } from "../../../session/pending-now.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { cancelOne } from "../../tx/cancel-pending/pending.ts";
import { needsChange } from "../many/targets.ts";
import type { UndoFile } from "../many/undo-file.ts";
import type { FreezeTarget } from "./plan.ts";

export interface Frozen {
  target: FreezeTarget;
  cancellations: readonly Completed<ApiResult<Transaction>>[];
  pause: Completed<ApiResult<Relayer>>;
  /** Its pending transactions after the pause; undefined if they were not read. */
  left?: readonly Transaction[] | undefined;
  /** When it ended, in milliseconds since 1970. */
  at: number;
}

export interface Freezing {
  client: Client;
  session: Session;
  undoFile: UndoFile | undefined;
  interrupt: AbortSignal;
  clock: Pick<Clock, "now">;
  concurrency: number;
}

export async function freeze(target: FreezeTarget, freezing: Freezing): Promise<Frozen> {
  const { client, session, interrupt, clock, concurrency } = freezing;
  const { id, cancels } = target;
  const kind = networkKind(target.before);
  const jobs = cancels.map((before) => ({
    id: before.id,
    run: () => cancelOne(client, session, id, { before, kind }),
  }));
  const cancellations = await runAll(jobs, { concurrency, interrupt }).done;
  const pauses = await runAll([pauseJob(target, freezing)], { concurrency: 1, interrupt }).done;
  const pause = pauses[0] ?? { id };
  const mayDiffer = pause.value !== undefined && !pause.already;
  const left = mayDiffer ? await readable(pendingNow(client, id)) : undefined;
  return { target, cancellations, pause, left, at: clock.now() };
}

function pauseJob(target: FreezeTarget, { client, session: { flags }, undoFile }: Freezing) {
  const { id, before } = target;
  if (before && !needsChange(target)) {
    const result: ApiResult<Relayer> = { data: before, body: new Uint8Array(), unconfirmed: [] };
    return { id, already: true as const, run: async () => result };
  }
  const send = () =>
    withHint(client.relayers.update(id, { paused: true }, { before }), () =>
      commandLine(...flags, "relayers", "get", id),
    );
  return { id, run: undoFile ? () => undoFile.keeping(target, send) : send };
}

async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return undefined;
  }
}
