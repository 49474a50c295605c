import { validateId } from "../../command-support/ids.ts";
import { readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { validateBody } from "../../contract/requests/body-problems.ts";
import { createNotificationSchema, updateNotificationSchema } from "../../contract/requests.ts";
import { ordered } from "../../contract/resources/field.ts";
import { notificationFields } from "../../contract/resources/notification.ts";
import { withoutNull } from "../../contract/spelling.ts";
import { hideSecrets } from "../../session/hide-secrets.ts";
import type { Call } from "../command.ts";
import { fieldsFromFlags } from "../flags/field-flags.ts";
import type { CreateFlags, UpdateFlags } from "./flags.ts";

/** Returns the typed body of a new notification without its key; a missing URL is a problem. */
export async function creationFromFlags(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const fromFile = await readBodyFile(call.app, call.flags.file);
  const typed = fieldsFromFlags(problems, ordered(notificationFields, ["url"]), "create", call.flags);
  const sourceOf = sourcesOf(typed, fromFile);
  const body: JsonObject = { ...withoutNull(fromFile.fields, ["id", "type", "signing_key"]), ...typed };
  hideSecrets(call.app, body);
  if (body.url === undefined) problems.add("--url", `is required: ${notificationFields.url.create.needed}`);
  if (typeof body.id === "string") validateId(problems, sourceOf("id"), body.id);
  validateBody(problems, createNotificationSchema, body, sourceOf);
  return body;
}

/** Returns the typed body of a change without the key. */
export async function changeFromFlags(call: Call<UpdateFlags>, problems: Problems): Promise<JsonObject> {
  const fromFile = await readBodyFile(call.app, call.flags.file);
  const typed = fieldsFromFlags(problems, ordered(notificationFields, ["url"]), "update", call.flags);
  const body: JsonObject = { ...withoutNull(fromFile.fields, ["type", "url"]), ...typed };
  hideSecrets(call.app, body);
  validateBody(problems, updateNotificationSchema, body, sourcesOf(typed, fromFile));
  return body;
}
