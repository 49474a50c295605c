import type { JsonObject } from "../../contract/json.ts";
import { createNotificationSchema } from "../../contract/requests.ts";
import type { FileItem } from "./file-item.ts";
import { validateId } from "./ids.ts";
import { refer, secretValue } from "./secret-value.ts";

const KNOWN = ["id", "type", "url", "signing_key"];
const REQUIRED = { id: "its ID", type: "webhook", url: "where deliveries go" };
const USER_INFO = /:\/\/[^/?#\s]*@/;

/** Returns a notification as a request creates it (facts 14). */
export function readNotification(item: FileItem): JsonObject {
  const fields = item.members({ known: KNOWN, required: REQUIRED });
  validateId(item, fields.id);
  if (fields.url === "") item.problem("url", "is empty: specify where deliveries go");
  if (fields.signing_key === "") item.problem("signing_key", "is empty; leave it out to remove the key");
  else if (fields.signing_key !== undefined) fields.signing_key = secretValue(item, "signing_key", fields.signing_key);
  if (typeof fields.url === "string" && (USER_INFO.test(fields.url) || isFromElsewhere(item)))
    refer(item, "url", "url", fields.url);
  item.validate(createNotificationSchema, fields);
  return fields;
}

function isFromElsewhere(item: FileItem): boolean {
  return (item.document.interpolations.get(item.full("url"))?.values.length ?? 0) > 0;
}
