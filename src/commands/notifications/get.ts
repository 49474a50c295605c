import { readId } from "../../command-support/ids.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { notificationArgument } from "./argument.ts";
import { notificationView } from "./view.ts";

/** `relayctl notifications get <id>`: by the service's own route, else from the list. */
export const notificationsGet: CommandFile<object, string> = {
  summary: "Show one notification",
  sends: "read",
  examples: [
    "relayctl notifications get ops-hook",
    "relayctl notifications get ops-hook -o json",
    "relayctl notifications get ops-hook --fields url",
  ],
  resource: notificationView,
  args: [notificationArgument],
  define(command) {
    command.description("Show one notification.");
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    getView(call, {
      resource: notificationView,
      request: { operation: operations["notifications.get"], parameters: { notification_id: id } },
      get: (client) => client.notifications.get(id),
    }),
};
