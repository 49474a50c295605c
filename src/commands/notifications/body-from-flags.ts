import { hideSecrets } from "../../command-support/hide-secrets.ts";
import { validateId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import { readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import { validateBody } from "../../command-support/request-body/body-problems.ts";
import { withoutNull } from "../../contract/body-spelling.ts";
import type { JsonObject } from "../../contract/json.ts";
import { createNotificationSchema, updateNotificationSchema } from "../../contract/requests.ts";
import type { Call } from "../command.ts";
import type { CreateFlags, UpdateFlags } from "./flags.ts";

/** Returns the typed body of a new notification without its key; a missing URL is a problem. */
export async function creationFromFlags(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const { url, id, type, file } = call.flags;
  const fromFile = await readBodyFile(call.app, file);
  const typed = {
    ...(url !== undefined && { url }),
    ...(id !== undefined && { id }),
    ...(type !== undefined && { type }),
  };
  const sourceOf = sourcesOf(typed, fromFile);
  const body: JsonObject = { ...withoutNull(fromFile.fields, ["id", "type", "signing_key"]), ...typed };
  hideSecrets(call.app, body);
  if (body.url === undefined) problems.add("--url", "is required: where deliveries go");
  if (typeof body.id === "string") validateId(problems, sourceOf("id"), body.id);
  validateBody(problems, createNotificationSchema, body, sourceOf);
  return body;
}

/** Returns the typed body of a change without the key. */
export async function changeFromFlags(call: Call<UpdateFlags>, problems: Problems): Promise<JsonObject> {
  const { url, type, file } = call.flags;
  const fromFile = await readBodyFile(call.app, file);
  const typed = { ...(url !== undefined && { url }), ...(type !== undefined && { type }) };
  const body: JsonObject = { ...withoutNull(fromFile.fields, ["type", "url"]), ...typed };
  hideSecrets(call.app, body);
  validateBody(problems, updateNotificationSchema, body, sourcesOf(typed, fromFile));
  return body;
}
