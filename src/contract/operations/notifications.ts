import { notificationShape } from "../notification.ts";
import type { Operation } from "../operation.ts";
import { deletion } from "../shape.ts";

/** interface.md, List notifications. */
export const notificationsList = {
  id: "notifications.list",
  kind: "read",
  method: "GET",
  path: "/notifications",
  data: notificationShape,
  list: true,
  since: "1.1",
} as const satisfies Operation;

/** Not in interface.md; service-facts 3.0. */
export const notificationsGet = {
  id: "notifications.get",
  kind: "read",
  method: "GET",
  path: "/notifications/{notification_id}",
  data: notificationShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** interface.md, Create a notification. */
export const notificationsCreate = {
  id: "notifications.create",
  kind: "create",
  method: "POST",
  path: "/notifications",
  data: notificationShape,
  since: "1.1",
} as const satisfies Operation;

/** interface.md, Update a notification. Not a merge patch: null keeps the key, "" removes it. */
export const notificationsUpdate = {
  id: "notifications.update",
  kind: "patch",
  method: "PATCH",
  path: "/notifications/{notification_id}",
  data: notificationShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** service-facts 6; refused while a relayer reports to it. */
export const notificationsDelete = {
  id: "notifications.delete",
  kind: "remove",
  method: "DELETE",
  path: "/notifications/{notification_id}",
  data: deletion,
  since: "1.1",
} as const satisfies Operation;
