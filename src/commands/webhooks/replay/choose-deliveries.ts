import type { JsonObject } from "../../../contract/json.ts";
import type { Problems } from "../../../contract/problems.ts";
import { readWebhookEvent } from "../../../contract/webhook/event.ts";
import { webhookSignature } from "../../../contract/webhook/signature.ts";
import type { Problem } from "../../../errors.ts";
import type { Condition } from "../../../terminal/select/condition.ts";
import { type RecordedDelivery, readRecord } from "../../../webhooks/record.ts";
import type { ShownDelivery } from "../shown-delivery.ts";

export interface ChosenDelivery extends ShownDelivery {
  /** Returns the event with its first delivery's facts; null if the body is none. Not kept, as it takes much memory. */
  item(): JsonObject;
}

export interface Chosen {
  deliveries: readonly ChosenDelivery[];
  /** The number of deliveries that can be read, whether they are to be sent or not. */
  readable: number;
  /** The lines that cannot be read. */
  damaged: readonly Problem[];
  /** Whether the last line is cut off. */
  isCut: boolean;
}

interface Choice {
  /** The name of the record, for messages. */
  file: string;
  where: readonly Condition[];
  limit: number | undefined;
  /** The key to sign with, in place of the recorded signatures. */
  key: string | undefined;
}

/** Reads a record, and returns the deliveries to send, in its order. A record without any that can be read is a problem. */
export function chooseDeliveries(text: string, { file, where, limit, key }: Choice, problems: Problems): Chosen {
  const { deliveries, damaged, isCut } = readRecord(text);
  const unreadable = damaged.map(({ line, rule }) => ({ where: `${file} line ${line}`, rule }));
  if (deliveries.length === 0) {
    if (unreadable.length === 0) problems.add(file, "contains no deliveries");
    for (const problem of unreadable) problems.add(problem.where, problem.rule);
  }
  const chosen = deliveries
    .filter((delivery) => where.length === 0 || isMatch(buildItem(delivery), where))
    .slice(0, limit)
    .map((delivery) => ({
      item: () => buildItem(delivery),
      body: delivery.body,
      headers: buildHeaders(delivery, key),
    }));
  return { deliveries: chosen, readable: deliveries.length, damaged: unreadable, isCut };
}

function isMatch(item: JsonObject, where: readonly Condition[]): boolean {
  return where.every((condition) => condition(item));
}

const UNKNOWN = { id: null, event: null, payload: null, timestamp: null };

function buildItem({ body, receivedAt, accepted }: RecordedDelivery): JsonObject {
  return { ...(readWebhookEvent(body) ?? UNKNOWN), delivery: { received_at: receivedAt, accepted } };
}

/** Returns the recorded headers, or those of a delivery that is signed now. */
function buildHeaders({ headers, body }: RecordedDelivery, key: string | undefined): ShownDelivery["headers"] {
  const { "content-type": type, "x-signature": recorded } = headers;
  const signature = key === undefined ? recorded : webhookSignature(key, body);
  return {
    ...(type !== undefined && { "content-type": type }),
    ...(signature !== undefined && { "x-signature": signature }),
  };
}
