import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { CreateNotificationRequest } from "../../contract/resources/notification.ts";
import type { View } from "../../terminal/view.ts";
import { notificationView } from "../../views/notification.ts";
import type { Call } from "../command.ts";
import { type Creatable, sendCreation } from "../send-creation.ts";

export const creatableNotification: Creatable = {
  noun: "notification",
  get: (client, id) => client.notifications.get(id),
};

export async function createNotification(call: Call, body: JsonObject): Promise<View> {
  return await sendCreation(call, {
    ...creatableNotification,
    operation: operations["notifications.create"],
    resource: notificationView,
    body,
    create: (client) => client.notifications.create(body as unknown as CreateNotificationRequest),
  });
}
