import { notificationCommands } from "../table/commands/notifications.ts";
import { testTable } from "../table/test-table.ts";

testTable("notifications", notificationCommands);
