import { TransportFailure } from "../../client/transport/transport.ts";
import { isDryRun } from "../../command-support/shown.ts";
import { groupDigits } from "../../contract/decimal.ts";
import { type JsonObject, objectIn } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { readWebhookEvent } from "../../contract/webhook/event.ts";
import { webhookSignature } from "../../contract/webhook/signature.ts";
import { type Failure, RelayctlError } from "../../errors.ts";
import { inputFileName, readInputBytes } from "../../session/input-file.ts";
import { type Condition, parseCondition } from "../../terminal/select/condition.ts";
import { valueAtPath } from "../../terminal/select/path.ts";
import {
  type Cell,
  type ListView,
  listFrom,
  type Page,
  type ResourceView,
  type TableColumn,
  toCell,
  viewTimeCell,
} from "../../terminal/view.ts";
import { webhookEventView } from "../../views/delivery.ts";
import { MAX_RECORD_BYTES, type RecordedDelivery, readWebhookRecord } from "../../webhooks/record.ts";
import { type Call, commandNumberFlag, createCommand, refuseRaw } from "../command.ts";
import { defineSigningKeyFlag, readSigningKey } from "./signing-keys.ts";
import { type DeliveryTarget, openWebhookTarget, type ShownDelivery } from "./target.ts";

const REPLAY = ["replay.status", "replay.ms", "replay.problem"];

/** A resent delivery: the event, and the receiver's response as its last member. */
const replayView: ResourceView = {
  ...webhookEventView,
  one: "delivery",
  many: "deliveries",
  table: [
    columnAt("received", "delivery.received_at", viewTimeCell),
    columnAt("event", "event", toCell),
    { ...columnAt("id", "id", toCell), whole: true },
    { header: "status", cell: ({ payload }) => toCell(objectIn(payload).status) },
    { header: "response", cell: responseCell, worth: "always" },
  ],
  flat: [
    "delivery.received_at",
    "event",
    "id",
    "payload.payload_type",
    "payload.id",
    "payload.relayer_id",
    "payload.status",
    ...REPLAY,
  ],
  fields: [...webhookEventView.fields, "delivery.accepted", "replay", ...REPLAY],
};

function columnAt(
  header: string,
  path: string,
  show: (value: Parameters<typeof toCell>[0]) => Cell,
): TableColumn<Item> {
  return { header, cell: (item) => show(valueAtPath(item, path)) };
}

type Item = Parameters<ResourceView["block"]>[0];

function responseCell(item: Item): Cell {
  const { status = null, problem = null } = objectIn(item.replay);
  if (problem !== null) return { text: status === null ? "no response" : `${status} refused`, tone: "bad" };
  return { text: `${status} accepted`, tone: "good" };
}

interface Replay extends Chosen {
  target: DeliveryTarget;
}

interface Progress {
  accepted: number;
  refused: number;
  /** How many were sent when Ctrl-C ended the wait for their response: one at most. */
  unanswered: number;
  ended?: Failure;
  problem?: string;
}

function viewReplay(call: Call, replay: Replay): ListView {
  const progress: Progress = { accepted: 0, refused: 0, unanswered: 0 };
  return listFrom({ name: replay.target.shown }, replayView, sendAll(call, replay, progress), {
    nothing: nothingText(replay),
    chosen: true,
    ending: async () => {
      call.count(undefined);
      return { failure: replayFailure(replay, progress) };
    },
  });
}

function nothingText({ readable }: Replay): string {
  return readable === 1
    ? "the only delivery does not match --where"
    : `none of ${groupDigits(readable)} deliveries matches --where`;
}

async function* sendAll(call: Call, { deliveries, target }: Replay, progress: Progress): AsyncGenerator<Page> {
  const { clock } = call.app;
  const since = clock.elapsed();
  const total = deliveries.length;
  for (const delivery of deliveries) {
    const { accepted: done, refused: failed } = progress;
    call.count({ doing: "replaying", of: total, done: done + failed, failed, since });
    const item = target.remaining() <= 0 ? endReplay(progress, "pending") : await sendOne(target, delivery, progress);
    if (item) yield { items: [item], total, body: new Uint8Array() };
    if (progress.ended !== undefined) return;
  }
}

function endReplay(progress: Progress, failure: Failure): undefined {
  progress.ended = failure;
}

/** Sends a delivery, and returns its row, if it was sent. @throws RelayctlError network, if the first fails */
async function sendOne(target: DeliveryTarget, { item, body, headers }: ChosenDelivery, progress: Progress) {
  const received = await target.post(body, headers).catch((error: unknown) => {
    if (!(error instanceof RelayctlError) || error.failure !== "interrupted") throw error;
    progress.unanswered = Number(error.cause instanceof TransportFailure && error.cause.sent);
    return endReplay(progress, error.failure);
  });
  if (!received) return undefined;
  const { status = null, milliseconds, problem = null, isSent } = received;
  if (problem !== null) progress.problem = problem;
  if (!isSent && progress.accepted + progress.refused === 0) throw target.notReached(received);
  if (!isSent) return endReplay(progress, "partial");
  if (problem === null) progress.accepted++;
  else progress.refused++;
  return { ...item(), replay: { status, ms: milliseconds, problem } };
}

function replayFailure({ deliveries, damaged }: Replay, progress: Progress): RelayctlError | undefined {
  const { accepted, refused, unanswered, problem } = progress;
  const failure = failureFor(progress, damaged.length);
  if (failure === undefined) return undefined;
  const missing = deliveries.length - accepted - refused - unanswered;
  const counts = [
    ...(refused > 0 ? [`${groupDigits(refused)} refused`] : []),
    ...(unanswered > 0 ? [`${unanswered} sent without a response`] : []),
    ...(missing > 0 ? [`${groupDigits(missing)} not sent`] : []),
    ...(damaged.length > 0 ? [`${groupDigits(damaged.length)} not readable`] : []),
  ];
  const total = deliveries.length + damaged.length;
  const message = `${WHY[failure] ?? ""}${groupDigits(accepted)} of ${groupDigits(total)} deliveries accepted, ${counts.join(", ")}`;
  const isInterrupted = failure === "interrupted";
  const because = problem === undefined ? [] : [problem];
  return new RelayctlError(failure, message, { because, details: damaged, isInterrupted });
}

const WHY: Partial<Record<Failure, string>> = { pending: "the time ran out: ", interrupted: "interrupted: " };

function failureFor({ refused, ended }: Progress, damaged: number): Failure | undefined {
  if (ended !== undefined) return ended;
  if (refused > 0) return "unmet";
  return damaged > 0 ? "partial" : undefined;
}

export const webhooksReplay = createCommand({
  summary: "Send recorded deliveries to a receiver again",
  sends: "deliveries",
  paginates: true,
  ends: {
    ok: "all accepted",
    partial: "some lines could not be read, or some deliveries were not sent",
    unmet: "a delivery was refused",
    pending: "not finished when the time ran out",
  },
  examples: [
    "relayctl webhooks replay deliveries.ndjson --to http://127.0.0.1:8080/hook",
    "relayctl webhooks replay deliveries.ndjson --to http://127.0.0.1:8080/hook --where status=failed --limit 10",
    "relayctl webhooks replay deliveries.ndjson --to http://127.0.0.1:8080/hook --resign --signing-key-file signing.key",
  ],
  args: [{ name: "<file>", description: "File of `webhooks listen --record` (`-` for stdin)" }],
  resource: replayView,
  description:
    "Send the deliveries of a record to a receiver again, in order, one at a time, and each once, with the recorded bytes and signature. Deliveries that were refused when they were recorded are sent too; --where delivery.accepted leaves them out. Lines that cannot be read are reported and skipped. Follows no redirect, and contacts only the URL that you type.",
  define: (command) =>
    command
      .optionsGroup("Delivery")
      .option("--to <url>", "URL of the receiver (required)")
      .option("--resign", "Replace the recorded signatures, e.g. for a receiver with another key")
      .include(defineSigningKeyFlag, "Sign with the key in this file, with --resign")
      .optionsGroup("Selection")
      .option(
        "--where <condition>",
        "Send only matching deliveries, e.g. status=failed, relayer_id=eth-main-1, event=transaction_update (repeatable; all must match)",
        "values",
      )
      .option("--limit <n>", "Send only the first n matching deliveries"),
  async prepare(call, problems) {
    const { app, flags, output } = call;
    const [path = ""] = call.args;
    if (flags.resign && flags.signingKeyFile === undefined)
      problems.add("--resign", "requires --signing-key-file: the key to sign with");
    if (!flags.resign && flags.signingKeyFile !== undefined)
      problems.add("--signing-key-file", "requires --resign: recorded signatures are sent as they are");
    refuseRaw(call, problems, "this command sends many");
    const limit = commandNumberFlag(problems, "--limit", flags.limit, 1);
    const conditions = problems.has("--where") ? [] : (output.where ?? []);
    const where = conditions.map((text) => parseCondition(text, replayView, app.clock.now()));
    const target = await openWebhookTarget(call, flags.to, problems);
    const key = await readSigningKey(call, flags.signingKeyFile, problems);
    const bytes = await problems.gather(() => readInputBytes(app, path, MAX_RECORD_BYTES));
    if (problems.found.length > 0 || bytes === undefined || !target) return undefined;
    const chosen = chooseDeliveries(
      new TextDecoder().decode(bytes),
      { file: inputFileName(path), where, limit, key },
      problems,
    );
    return { target, ...chosen };
  },
  async run(call, replay) {
    const { target, deliveries, isCut, damaged } = replay;
    if (isCut) await call.say({ note: "the last line is cut off; skipped" });
    for (const { where, rule } of damaged) await call.say({ warning: `${where} ${rule}; skipped` });
    if (isDryRun(call)) {
      const { showTargetDeliveries } = await import("./target.ts");
      return await showTargetDeliveries(call, target, deliveries);
    }
    if (deliveries.length > 0)
      await call.say({
        note: "the events keep their IDs, so a receiver that removes duplicates ignores events that it has seen",
      });
    return viewReplay(call, replay);
  },
});

interface ChosenDelivery extends ShownDelivery {
  /** Returns the event with its first delivery's facts, or null. Not kept, since it takes much memory. */
  item(): JsonObject;
}

type Chosen = ReturnType<typeof chooseDeliveries>;

interface Choice {
  file: string;
  where: readonly Condition[];
  limit: number | undefined;
  /** The key to sign with, in place of the recorded signatures. */
  key: string | undefined;
}

function chooseDeliveries(text: string, { file, where, limit, key }: Choice, problems: Problems) {
  const { deliveries, damaged, isCut } = readWebhookRecord(text);
  const unreadable = damaged.map(({ line, rule }) => ({ where: `${file} line ${line}`, rule }));
  if (deliveries.length === 0) {
    if (unreadable.length === 0) problems.add(file, "contains no deliveries");
    for (const problem of unreadable) problems.add(problem.where, problem.rule);
  }
  const chosen = deliveries
    .filter((delivery) => where.length === 0 || where.every((condition) => condition(deliveryItem(delivery))))
    .slice(0, limit)
    .map((delivery) => ({
      item: () => deliveryItem(delivery),
      body: delivery.body,
      headers: sentHeaders(delivery, key),
    }));
  return { deliveries: chosen, readable: deliveries.length, damaged: unreadable, isCut };
}

const UNKNOWN = { id: null, event: null, payload: null, timestamp: null };

function deliveryItem({ body, receivedAt, accepted }: RecordedDelivery): JsonObject {
  return { ...(readWebhookEvent(body) ?? UNKNOWN), delivery: { received_at: receivedAt, accepted } };
}

function sentHeaders({ headers, body }: RecordedDelivery, key: string | undefined): ShownDelivery["headers"] {
  const { "content-type": type, "x-signature": recorded } = headers;
  const signature = key === undefined ? recorded : webhookSignature(key, body);
  return {
    ...(type !== undefined && { "content-type": type }),
    ...(signature !== undefined && { "x-signature": signature }),
  };
}
