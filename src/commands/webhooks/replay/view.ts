import { isJsonObject } from "../../../contract/json.ts";
import { valueAt } from "../../../terminal/select/path.ts";
import type { Cell, ResourceView, TableColumn } from "../../../terminal/view.ts";
import { cell, timeCell } from "../../cells.ts";
import { webhookEventView } from "../listen/view.ts";

const REPLAY = ["replay.status", "replay.ms", "replay.problem"];

/** A delivery that was sent again: the event, and as its last member what the receiver did. */
export const replayView: ResourceView = {
  ...webhookEventView,
  one: "delivery",
  many: "deliveries",
  table: [
    at("received", "delivery.received_at", timeCell),
    at("event", "event", cell),
    { ...at("id", "id", cell), whole: true },
    { header: "status", cell: statusCell },
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

function at(header: string, path: string, show: (value: Parameters<typeof cell>[0]) => Cell): TableColumn<Item> {
  return { header, cell: (item) => show(valueAt(item, path)) };
}

type Item = Parameters<ResourceView["block"]>[0];

/** The status of the transaction, if the event is about one. */
function statusCell({ payload }: Item): Cell {
  return cell(isJsonObject(payload) ? payload.status : undefined);
}

function responseCell(item: Item): Cell {
  const { status = null, problem = null } = isJsonObject(item.replay) ? item.replay : {};
  if (problem !== null) return { text: status === null ? "no response" : `${status} refused`, tone: "bad" };
  return { text: `${status} accepted`, tone: "good" };
}
