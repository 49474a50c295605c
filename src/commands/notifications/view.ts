import type { Notification } from "../../contract/resources/notification.ts";
import type { ResourceView } from "../../terminal/view.ts";
import { cell, column, lines } from "../cells.ts";

const FIELDS = ["id", "type", "url", "has_signing_key"];

/** The view of notifications. The key itself is never returned, only whether there is one. */
export const notificationView: ResourceView<Notification> = {
  one: "notification",
  many: "notifications",
  table: [
    column("id", "id"),
    column("type", "type"),
    { header: "signed", cell: ({ has_signing_key }) => cell(has_signing_key), reads: ["has_signing_key"] },
    column("url", "url"),
  ],
  flat: FIELDS,
  fields: FIELDS,
  block: (notification) => [
    ...lines("id", [cell(notification.id)]),
    ...lines("type", [cell(notification.type)]),
    ...lines("url", [cell(notification.url)]),
    ...lines("signing key", [{ text: notification.has_signing_key ? "set, never shown" : "none" }]),
  ],
};
