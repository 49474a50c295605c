import { grouped } from "../../../contract/decimal.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { type Failure, RelayctlError } from "../../../errors.ts";
import type { ListView, Page } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { DeliveryTarget } from "../target.ts";
import type { Chosen, ChosenDelivery } from "./choose-deliveries.ts";
import { replayView } from "./view.ts";

export interface Replay extends Chosen {
  target: DeliveryTarget;
}

/** How far a replay has come. */
interface Progress {
  accepted: number;
  refused: number;
  /** Why it ended before the last delivery. */
  ended?: Failure;
  /** What the receiver did last that was wrong. */
  problem?: string;
}

/** Returns the view of a replay, which sends each delivery when its row is due. */
export function replayed(call: Call, replay: Replay): ListView {
  const progress: Progress = { accepted: 0, refused: 0 };
  return {
    kind: "list",
    resource: replayView,
    pages: sendAll(call, replay, progress),
    where: replay.target.shown,
    nothing: nothingText(replay),
    inOrder: true,
    chosen: true,
    ending: async () => {
      call.count(undefined);
      const failure = failureOf(replay, progress);
      return failure ? { failure } : {};
    },
  };
}

/** Returns why there are no rows, if nothing fails. */
function nothingText({ readable }: Replay): string {
  return readable === 1
    ? "the only delivery does not match --where"
    : `none of ${grouped(readable)} deliveries matches --where`;
}

async function* sendAll(call: Call, { deliveries, target }: Replay, progress: Progress): AsyncGenerator<Page> {
  const { clock } = call.app;
  const since = clock.elapsed();
  const total = deliveries.length;
  for (const delivery of deliveries) {
    const { accepted: done, refused: failed } = progress;
    call.count({ doing: "replaying", of: total, done: done + failed, failed, since });
    const item = target.remaining() <= 0 ? ended(progress, "pending") : await sendOne(target, delivery, progress);
    if (item) yield { items: [item], total, body: new Uint8Array() };
    if (progress.ended !== undefined) return;
  }
}

function ended(progress: Progress, failure: Failure): undefined {
  progress.ended = failure;
}

/** Sends a delivery, and returns its row; undefined if unsent. @throws RelayctlError network, if the first fails */
async function sendOne(
  target: DeliveryTarget,
  { item, body, headers }: ChosenDelivery,
  progress: Progress,
): Promise<JsonObject | undefined> {
  const received = await target.post(body, headers).catch((error: unknown) => {
    if (error instanceof RelayctlError && error.failure === "interrupted") return ended(progress, error.failure);
    throw error;
  });
  if (!received) return undefined;
  const { status = null, milliseconds, problem = null, isSent } = received;
  if (problem !== null) progress.problem = problem;
  if (!isSent && progress.accepted + progress.refused === 0) throw target.notReached(received);
  if (!isSent) return ended(progress, "partial");
  if (problem === null) progress.accepted++;
  else progress.refused++;
  return { ...item(), replay: { status, ms: milliseconds, problem } };
}

/** Returns why a replay did not succeed. */
function failureOf({ deliveries, damaged }: Replay, progress: Progress): RelayctlError | undefined {
  const { accepted, refused, problem } = progress;
  const failure = wordFor(progress, damaged.length);
  if (failure === undefined) return undefined;
  const missing = deliveries.length - accepted - refused;
  const counts = [
    ...(refused > 0 ? [`${grouped(refused)} refused`] : []),
    ...(missing > 0 ? [`${grouped(missing)} not sent`] : []),
    ...(damaged.length > 0 ? [`${grouped(damaged.length)} not readable`] : []),
  ];
  const total = deliveries.length + damaged.length;
  const message = `${WHY[failure] ?? ""}${grouped(accepted)} of ${grouped(total)} deliveries accepted, ${counts.join(", ")}`;
  return new RelayctlError(failure, message, { because: problem === undefined ? [] : [problem], details: damaged });
}

const WHY: Partial<Record<Failure, string>> = { pending: "the time ran out: ", interrupted: "interrupted: " };

function wordFor({ refused, ended }: Progress, damaged: number): Failure | undefined {
  if (ended !== undefined) return ended;
  if (refused > 0) return "unmet";
  return damaged > 0 ? "partial" : undefined;
}
