import { hideSecrets } from "../../command-support/hide-secrets.ts";
import { readJsonObject } from "../../command-support/input-file.ts";
import type { Problems } from "../../command-support/problems.ts";
import { canPrompt } from "../../command-support/prompting/prompts.ts";
import { askSecret, readSecretFlag, type SecretInput } from "../../command-support/prompting/secret-flag.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { fieldProblem } from "../../contract/requests.ts";
import type { Call } from "../command.ts";
import { attributeOf, type ConfigField, configFieldsOf, isRead } from "./config-fields.ts";
import type { CreateFlags } from "./create-flags.ts";
import { configFieldIn, type TypedCreation, withConfigField } from "./typed-creation.ts";

/**
 * Returns the body with the values read from files: the secrets, and the Google Cloud account. A required secret that
 * was not specified is prompted for, hidden, if a terminal is attached. No secret is ever printed.
 */
export async function withFiles(
  call: Call<CreateFlags>,
  { type, body }: TypedCreation,
  problems: Problems,
): Promise<JsonObject> {
  hideSecrets(call.app, body);
  let { config = {} } = body;
  for (const configField of type ? configFieldsOf(type).filter(isRead) : []) {
    const value = await readConfigField(call, configField, configFieldIn(body, configField) !== undefined, problems);
    config = withConfigField(config as JsonObject, configField, value);
  }
  const whole = type ? { ...body, config } : body;
  hideSecrets(call.app, whole);
  return whole;
}

async function readConfigField(
  call: Call<CreateFlags>,
  configField: ConfigField,
  isThere: boolean,
  problems: Problems,
): Promise<JsonValue | undefined> {
  const { field, flag } = configField;
  const typed = call.flags[attributeOf(configField)];
  const file = typeof typed === "string" ? typed : undefined;
  if (field.asFile) return file === undefined ? undefined : await problems.gather(() => readAccount(call, file), flag);
  const input: SecretInput = {
    flag,
    file,
    question: questionOf(configField),
    problem: (text) => fieldProblem(field, text),
  };
  const isMissing = file === undefined && !isThere && !field.optional;
  if (isMissing && canPrompt(call.app, call.common)) return await askSecret(call, problems, input);
  return await readSecretFlag(call, problems, input);
}

function questionOf({ field: { about } }: ConfigField): string {
  return `${about.charAt(0).toUpperCase()}${about.slice(1)} (hidden):`;
}

/** Reads the account without the fields of Google's file that the service does not accept. */
async function readAccount({ app }: Call, file: string): Promise<JsonObject> {
  const { type: _, ...account } = await readJsonObject(app, file);
  return account;
}
