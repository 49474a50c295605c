import type { Operation } from "../operation.ts";
import { deletion } from "../reply/shape.ts";
import { notificationShape } from "../resources/notification.ts";

/** interface 4.4. */
export const notificationsList = {
  id: "notifications.list",
  kind: "read",
  method: "GET",
  path: "/notifications",
  data: notificationShape,
  list: true,
  since: "1.1",
} as const satisfies Operation;

/** Not in the interface (facts 3.0). */
export const notificationsGet = {
  id: "notifications.get",
  kind: "read",
  method: "GET",
  path: "/notifications/{notification_id}",
  data: notificationShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** interface 4.5. */
export const notificationsCreate = {
  id: "notifications.create",
  kind: "create",
  method: "POST",
  path: "/notifications",
  data: notificationShape,
  since: "1.1",
} as const satisfies Operation;

/** interface 4.6. Not a merge patch: null keeps the key, "" removes it. */
export const notificationsUpdate = {
  id: "notifications.update",
  kind: "patch",
  method: "PATCH",
  path: "/notifications/{notification_id}",
  data: notificationShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** facts 6; rejected while a relayer uses it. */
export const notificationsDelete = {
  id: "notifications.delete",
  kind: "remove",
  method: "DELETE",
  path: "/notifications/{notification_id}",
  data: deletion,
  since: "1.1",
} as const satisfies Operation;
