import type { CommandGroup } from "../command.ts";
import { notificationsCreate } from "./create.ts";
import { notificationsDelete } from "./delete.ts";
import { notificationsGet } from "./get.ts";
import { notificationsList } from "./list.ts";
import { notificationsUpdate } from "./update.ts";

export const notifications: CommandGroup = {
  list: notificationsList,
  get: notificationsGet,
  create: notificationsCreate,
  update: notificationsUpdate,
  delete: notificationsDelete,
};
