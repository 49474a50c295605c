import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { createNotificationSchema } from "../../contract/requests.ts";
import { requestFields } from "../../contract/resources/field.ts";
import { isLongEnough, notificationFields, SHORTEST_SIGNING_KEY } from "../../contract/resources/notification.ts";
import { hasUserInfo } from "../../contract/rpc-url.ts";
import { hiddenIn } from "../hidden.ts";
import type { FileItem } from "./file-item.ts";
import { refer } from "./refer.ts";
import { secretValue } from "./secret-value.ts";

const KNOWN = requestFields(notificationFields);
const REQUIRED = { id: "its ID", type: "webhook", url: "where deliveries go" };

/** Returns a notification as a request creates it (facts 14). */
export function readNotification(item: FileItem): JsonObject {
  const fields = item.members({ known: KNOWN, required: REQUIRED });
  item.validateId(fields.id);
  if (fields.url === "") item.doubt("url", "is empty: specify where deliveries go", "");
  if (fields.signing_key === "") item.problem("signing_key", "is empty; leave it out to remove the key");
  else if (fields.signing_key !== undefined) fields.signing_key = secretValue(item, "signing_key", fields.signing_key);
  if (typeof fields.url === "string" && hiddenIn(fields.url) !== undefined) item.hide("url");
  else if (typeof fields.url === "string" && (hasUserInfo(fields.url) || item.isFromElsewhere("url")))
    refer(item, "url", "url", fields.url);
  warnOfShortKey(item, fields.signing_key);
  item.validate(createNotificationSchema, fields);
  return fields;
}

function warnOfShortKey(item: FileItem, key: JsonValue | undefined): void {
  if (typeof key !== "string" || key === "" || item.isSettled("signing_key")) return;
  if (!isLongEnough(key))
    item.warn("signing_key", `the signing key is shorter than ${SHORTEST_SIGNING_KEY} bytes, which services refuse`);
}
