import { type BodyFile, readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import { isJsonObject, type JsonObject, type JsonValue, mergePatch, writeJson } from "../../contract/json.ts";
import { integerFlag, type Problems } from "../../contract/problems.ts";
import { validateBody } from "../../contract/requests/body-problems.ts";
import { createSignerSchemas } from "../../contract/requests.ts";
import { SIGNER_TYPES, type SignerType } from "../../contract/resources/signer.ts";
import { withoutNull } from "../../contract/spelling.ts";
import { oneOf } from "../../nearest.ts";
import type { Call } from "../command.ts";
import { attributeOf, type ConfigField, configFieldsOf, isRead } from "./config-fields.ts";
import { type CreateFlags, typesWith } from "./create-flags.ts";

/** The typed input for a new signer, without values read from separate files. */
export interface TypedCreation {
  type?: SignerType;
  body: JsonObject;
  file: BodyFile;
  /** The fields besides `config` that flags set. */
  fromFlags: JsonObject;
}

/** Reads the flags and the file of the whole body; flags override. */
export async function typedCreation(call: Call<CreateFlags>, problems: Problems): Promise<TypedCreation> {
  const { flags } = call;
  const asWritten = await readBodyFile(call.app, flags.file);
  const file = { ...asWritten, fields: withoutNull(asWritten.fields, ["id"]) };
  const type = getType(
    flags.type ?? file.fields.type,
    flags.type === undefined ? `${file.name} type` : "--type",
    problems,
  );
  const fromFlags = {
    ...(flags.id !== undefined && { id: flags.id }),
    ...(flags.type !== undefined && { type: flags.type }),
  };
  if (!type) return { body: { ...file.fields, ...fromFlags }, file, fromFlags };
  refuseForeignFields(flags, type, problems);
  const typed = buildConfig(flags, type, problems);
  const config = isJsonObject(file.fields.config) ? mergePatch(file.fields.config, typed) : typed;
  return { type, body: { ...file.fields, ...fromFlags, config }, file, fromFlags };
}

function getType(typed: JsonValue | undefined, where: string, problems: Problems): SignerType | undefined {
  const type = SIGNER_TYPES.find((type) => type === typed);
  if (type || typed === undefined || problems.has(where)) return type;
  const given = typeof typed === "string" ? typed : writeJson(typed);
  problems.add(where, oneOf(given, SIGNER_TYPES), given);
  return undefined;
}

/** Refuses flags of another type, which would be silently ignored. */
function refuseForeignFields(flags: CreateFlags, type: SignerType, problems: Problems): void {
  const foreignFields = SIGNER_TYPES.flatMap(configFieldsOf).filter(
    (configField) => flags[attributeOf(configField)] !== undefined,
  );
  for (const { flag } of foreignFields.filter(({ flag }) => !typesWith(flag).includes(type))) {
    if (!problems.has(flag))
      problems.add(flag, `does not apply to signers of type ${type}, only to ${typesWith(flag).join(", ")}`);
  }
}

function buildConfig(flags: CreateFlags, type: SignerType, problems: Problems): JsonObject {
  return configFieldsOf(type)
    .filter((configField) => !isRead(configField))
    .reduce(
      (config, configField) =>
        withConfigField(config, configField, typedValue(flags[attributeOf(configField)], configField, problems)),
      {},
    );
}

function typedValue(
  typed: string | true | undefined,
  { field, flag }: ConfigField,
  problems: Problems,
): JsonValue | undefined {
  if (typeof typed !== "string") return undefined;
  return field.rule === "u32" ? integerFlag(problems, flag, typed, "a whole number") : typed;
}

/** Returns a config with a field added in its position; unchanged without a value. */
export function withConfigField(
  config: JsonObject,
  { path }: Pick<ConfigField, "path">,
  value: JsonValue | undefined,
): JsonObject {
  if (value === undefined) return config;
  const [head = "", ...rest] = path;
  const patch = rest.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
  return mergePatch(config, { [head]: patch });
}

export function configFieldIn({ config }: JsonObject, { path }: Pick<ConfigField, "path">): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), config);
}

/** Validates a whole signer: all that its type requires is present, and every field follows its rule (facts 8.1). */
export function validateCreation({ type, body, file, fromFlags }: TypedCreation, problems: Problems): void {
  if (!type) {
    if (body.type === undefined) problems.add("--type", "is required: the signer's type");
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
    const configField = configFields.find((configField) =>
      `${path}.`.startsWith(`config.${configField.path.join(".")}.`),
    );
    return configField && configFieldIn(file.fields, configField) === undefined
      ? flagAt(configField, path)
      : sourceOf(path);
  });
}

/** Returns `--service-account-file (private_key)` */
function flagAt({ flag, path: at }: ConfigField, path: string): string {
  const inner = path.split(".").slice(at.length + 1);
  return inner.length === 0 ? flag : `${flag} (${inner.join(".")})`;
}
