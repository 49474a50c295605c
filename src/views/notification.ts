import { type Notification, notificationFields } from "../contract/resources/notification.ts";
import { column, columnsOf, lines, linesOf, type ResourceView } from "../terminal/view.ts";

/** The key is never returned, only whether there is one. */
export const notificationView: ResourceView<Notification> = {
  one: "notification",
  many: "notifications",
  ...columnsOf<Notification>(notificationFields, {
    has_signing_key: column("signed", "has_signing_key"),
  }),
  block: (notification) =>
    linesOf(notificationFields, notification, {
      has_signing_key: () =>
        lines("signing key", [{ text: notification.has_signing_key ? "set, never shown" : "none" }]),
    }),
};
