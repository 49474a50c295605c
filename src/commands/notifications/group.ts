import type { CommandGroup } from "../command.ts";

export const notifications: CommandGroup = {
  list: async () => (await import("./list.ts")).notificationsList,
  get: async () => (await import("./get.ts")).notificationsGet,
  create: async () => (await import("./create.ts")).notificationsCreate,
  update: async () => (await import("./update.ts")).notificationsUpdate,
  "rotate-key": async () => (await import("./rotate-key.ts")).notificationsRotateKey,
  delete: async () => (await import("./delete.ts")).notificationsDelete,
};
