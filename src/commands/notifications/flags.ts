import { validateId } from "../../command-support/ids.ts";
import type { TextQuestion } from "../../command-support/prompting/prompts.ts";
import { readSecretFlag, SHORT_KEY, secretKeyProblem } from "../../command-support/prompting/secret-flag.ts";
import { bodyFileSources, readBodyFile } from "../../command-support/request-body/body-file.ts";
import { serviceIdProblem } from "../../contract/id.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Problems } from "../../contract/problems.ts";
import { givenInBody, validateBody } from "../../contract/requests/body-problems.ts";
import { createNotificationSchema, updateNotificationSchema } from "../../contract/requests.ts";
import { orderedFields } from "../../contract/resources/field.ts";
import {
  deliveryUrlProblem,
  isLongEnough,
  notificationFields,
  SHORTEST_SIGNING_KEY,
} from "../../contract/resources/notification.ts";
import { omitNulls } from "../../contract/spelling.ts";
import { hideSecrets } from "../../session/hide-secrets.ts";
import { BODY_FILE, type Call, type CommandSyntax, DIFF, type InteractiveFlag, type ParsedFlags } from "../command.ts";
import { defineFieldFlags, fieldsFromFlags } from "../flags/field-flags.ts";

export type CreateFlags = ParsedFlags<typeof defineNotificationFlags> & InteractiveFlag;

export function defineNotificationFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .include((flags) => defineFieldFlags(flags, orderedFields(notificationFields, ["url", "type", "id"]), "create"))
    .option(
      "--signing-key-file <file>",
      `Read the signing key from a file (\`-\` for stdin, hidden at a terminal; at least ${SHORTEST_SIGNING_KEY} bytes)`,
    )
    .optionsGroup("Request")
    .option(...BODY_FILE);
}

export type UpdateFlags = ParsedFlags<typeof defineNotificationUpdateFlags> & InteractiveFlag;

export function defineNotificationUpdateFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Fields")
    .include((flags) => defineFieldFlags(flags, orderedFields(notificationFields, ["url"]), "update"))
    .option(
      "--signing-key-file <file>",
      `Read the new signing key from a file (\`-\` for stdin, hidden at a terminal; at least ${SHORTEST_SIGNING_KEY} bytes)`,
    )
    .option(
      "--remove-signing-key",
      "Remove the signing key, so that deliveries are no longer signed (requires confirmation)",
    )
    .optionsGroup("Request")
    .option(...BODY_FILE)
    .option(...DIFF);
}

export async function readNotificationKeyFlag(
  call: Call<Pick<CreateFlags, "signingKeyFile">>,
  problems: Problems,
): Promise<string | undefined> {
  return await readSecretFlag(call, problems, {
    flag: "--signing-key-file",
    file: call.flags.signingKeyFile,
    question: "Signing key (hidden):",
    problem: secretKeyProblem,
  });
}

/** Warns about input that the real service rejects, but not the interface (facts 6). The request is sent anyway. */
export async function warnOfNotificationFlags(call: Call, { id, signing_key: key }: JsonObject): Promise<void> {
  const idRule = typeof id === "string" ? serviceIdProblem(id) : undefined;
  if (idRule !== undefined) await call.say({ warning: `services up to v1.8 refuse the id ${id}: ${idRule}` });
  if (typeof key === "string" && key !== "" && !isLongEnough(key)) await call.say({ warning: SHORT_KEY });
}

export const URL_QUESTION: TextQuestion = {
  question: "URL:",
  example: "https://hooks.example.org/relayer",
  problem: deliveryUrlProblem,
};

export const KEY_WORDS = ["--signing-key-file", "-"];

export async function notificationFromFlags(call: Call<CreateFlags>, problems: Problems): Promise<JsonObject> {
  const fromFile = await readBodyFile(call.app, call.flags.file);
  const typed = fieldsFromFlags(problems, orderedFields(notificationFields, ["url"]), "create", call.flags);
  const sourceOf = bodyFileSources(typed, fromFile);
  const body: JsonObject = { ...omitNulls(fromFile.fields, ["id", "type", "signing_key"]), ...typed };
  hideSecrets(call.app, body);
  if (body.url === undefined) problems.add("--url", `is required: ${notificationFields.url.create.needed}`);
  if (typeof body.id === "string") validateId(problems, sourceOf("id"), body.id);
  validateUrl(problems, body, sourceOf("url"));
  validateBody(problems, createNotificationSchema, body, sourceOf);
  return body;
}

export async function notificationChangeFromFlags(call: Call<UpdateFlags>, problems: Problems): Promise<JsonObject> {
  const fromFile = await readBodyFile(call.app, call.flags.file);
  const typed = fieldsFromFlags(problems, orderedFields(notificationFields, ["url"]), "update", call.flags);
  const body: JsonObject = { ...omitNulls(fromFile.fields, ["type", "url"]), ...typed };
  hideSecrets(call.app, body);
  const sourceOf = bodyFileSources(typed, fromFile);
  validateUrl(problems, body, sourceOf("url"));
  validateBody(problems, updateNotificationSchema, body, sourceOf);
  return body;
}

function validateUrl(problems: Problems, body: JsonObject, where: string): void {
  const rule = typeof body.url === "string" ? deliveryUrlProblem(body.url) : undefined;
  if (rule !== undefined) problems.add(where, rule, givenInBody(body, ["url"]));
}
