import type { Problems } from "../../command-support/problems.ts";
import { sourcesOf } from "../../command-support/request-body/body-file.ts";
import { validateBody } from "../../command-support/request-body/body-problems.ts";
import { isJsonObject } from "../../contract/json.ts";
import { createSignerSchemas } from "../../contract/requests.ts";
import { type ConfigField, configFieldsOf } from "./config-fields.ts";
import { configFieldIn, type TypedCreation } from "./typed-creation.ts";

/**
 * Validates a whole signer: everything that its type requires is present, and every field follows its rule (facts 8.1).
 */
export function validateCreation({ type, body, file, fromFlags }: TypedCreation, problems: Problems): void {
  if (!type) {
    if (body.type === undefined) problems.add("--type", "is required: what holds the key");
    return;
  }
  const { config = {} } = file.fields;
  if (!isJsonObject(config)) {
    problems.add(`${file.name} config`, "an object");
    return;
  }
  const configFields = configFieldsOf(type);
  for (const { field, flag, path } of configFields) {
    const isMissing = !field.optional && configFieldIn(body, { path }) === undefined;
    if (isMissing && !problems.has(flag))
      problems.add(flag, `is required for a signer of type ${type}: ${field.about}`);
  }
  const sourceOf = sourcesOf(fromFlags, file);
  validateBody(problems, createSignerSchemas[type], body, (path) => {
    const configField = configFields.find((configField) => isWithin(configField, path));
    return configField && configFieldIn(file.fields, configField) === undefined
      ? flagAt(configField, path)
      : sourceOf(path);
  });
}

function isWithin({ path: at }: ConfigField, path: string): boolean {
  return `${path}.`.startsWith(`config.${at.join(".")}.`);
}

/** Returns `--service-account-file (private_key)` */
function flagAt({ flag, path: at }: ConfigField, path: string): string {
  const inner = path.split(".").slice(at.length + 1);
  return inner.length === 0 ? flag : `${flag} (${inner.join(".")})`;
}
