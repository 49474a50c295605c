import { type Notification, notificationFields } from "../contract/resources/notification.ts";
import { type ResourceView, toCell, toColumn, viewColumns, viewFieldLines, viewLines } from "../terminal/view.ts";

/** The key is never returned, only whether there is one. */
export const notificationView: ResourceView<Notification> = {
  one: "notification",
  many: "notifications",
  ...viewColumns<Notification>(notificationFields, {
    has_signing_key: toColumn("signed", "has_signing_key"),
  }),
  block: (notification) =>
    viewFieldLines(notificationFields, notification, {
      has_signing_key: () =>
        viewLines("signing key", [toCell(signingKeyWord(notification, ["set, never shown", "none"]))]),
    }),
};

export function signingKeyWord({ has_signing_key: has }: Notification, [set, none] = ["signed", "not signed"]) {
  return typeof has === "boolean" ? (has ? set : none) : undefined;
}
