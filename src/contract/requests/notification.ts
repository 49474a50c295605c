import * as z from "zod/mini";
import { idProblem } from "../id.ts";
import { NOTIFICATION_TYPES } from "../resources/notification.ts";
import { saying } from "./saying.ts";

const webhookUrl = z.string().check(z.refine((url) => URL.canParse(url), "Invalid URL format: an absolute URL"));
const webhookType = z.enum(NOTIFICATION_TYPES, "only webhook");

export const createNotificationSchema = z.strictObject({
  url: webhookUrl,
  id: z.exactOptional(z.string().check(saying(idProblem))),
  type: z.exactOptional(webhookType),
  signing_key: z.exactOptional(z.string().check(z.minLength(1, "a key"))),
});

export const updateNotificationSchema = z.strictObject({
  type: z.exactOptional(webhookType),
  url: z.exactOptional(webhookUrl),
  signing_key: z.exactOptional(z.nullable(z.string())),
});
