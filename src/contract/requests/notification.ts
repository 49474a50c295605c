import { ordered } from "../resources/field.ts";
import { notificationFields } from "../resources/notification.ts";
import { schemaOf } from "./field-schemas.ts";

export const createNotificationSchema = schemaOf(ordered(notificationFields, ["url"]), "create");

export const updateNotificationSchema = schemaOf(notificationFields, "update");
