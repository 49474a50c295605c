import { askText, flagWords } from "../../command-support/prompting/prompts.ts";
import { type BodyFile, bodyFileSources, readBodyFile } from "../../command-support/request-body/body-file.ts";
import { placeholderVariable } from "../../command-support/request-body/body-placeholders.ts";
import { LONGEST_NEW_ID, newIdProblem } from "../../contract/id.ts";
import { asText, isJsonObject, type JsonObject, type JsonValue, mergePatch } from "../../contract/json.ts";
import { integerFlag, Problems } from "../../contract/problems.ts";
import { validateBody } from "../../contract/requests/body-problems.ts";
import { createSignerSchemas, requestFieldProblem } from "../../contract/requests.ts";
import { SIGNER_TYPES, type SignerField, type SignerType, signerFields } from "../../contract/resources/signer.ts";
import { omitNulls } from "../../contract/spelling.ts";
import { oneOf } from "../../nearest.ts";
import { userShell } from "../../shell/shell-words.ts";
import type { Prompts } from "../../terminal/prompts.ts";
import { BODY_FILE, type Call, type CommandSyntax } from "../command.ts";
import { GENERATE, KEY_OUT } from "../generated-key.ts";

/** Prompts for the type and required fields; with `-i` for all. Secrets come last, and never on a command line. */
export async function createSignerInterview(call: Call<CreateFlags>): Promise<boolean> {
  const problems = new Problems();
  const { type: typed, body } = await typedSignerCreation(call, problems);
  // No prompts while typed input is wrong.
  if (problems.found.length > 0) return true;
  const { entered } = call;
  const prompts = await call.app.prompts();
  const type = typed ?? (await prompts.select("What holds the key:", TYPES));
  if (!typed) entered.add(flagWords("--type", type));
  if (call.flags.interactive && body.id === undefined) entered.add(flagWords("--id", await askId(prompts)));
  const missing = signerFieldsOf(type).filter((configField) => !isTyped(call, configField, body));
  for (const each of missing.filter(({ field }) => !field.secret && (call.flags.interactive || !field.optional)))
    entered.add(flagWords(each.flag, await askConfigField(prompts, each)));
  return true;
}

/** Returns the flags of the prompted secrets; each file becomes a shell variable, like secrets in a dry run. */
export async function signerSecretWords(call: Call<CreateFlags>): Promise<string[]> {
  const { type, body } = await typedSignerCreation(call, new Problems());
  return (type ? signerFieldsOf(type) : [])
    .filter((each) => each.field.secret && !each.field.optional && !isTyped(call, each, body))
    .map(({ flag }) => `${flag} "${placeholderVariable(variableFor(flag), userShell(call.app.env))}"`);
}

function variableFor(flag: string): string {
  return flag.slice(2).replaceAll("-", "_").toUpperCase();
}

async function askId(prompts: Prompts): Promise<string | undefined> {
  return await askText(prompts, {
    question: "ID (Enter generates one):",
    example: "hot-2",
    problem: newIdProblem,
    optional: true,
  });
}

const TYPES = SIGNER_TYPES.map((type: SignerType) => ({ value: type, name: type }));

function isTyped({ flags }: Call<CreateFlags>, configField: ConfigField, body: Parameters<typeof signerFieldIn>[0]) {
  if (flags.generate && configField.flag === "--key-file") return true;
  return flags[attributeOf(configField)] !== undefined || signerFieldIn(body, configField) !== undefined;
}

async function askConfigField(prompts: Prompts, { field }: ConfigField): Promise<string | undefined> {
  const { about, optional, words, asFile } = field;
  const question = `${about.charAt(0).toUpperCase()}${about.slice(1)}`;
  if (words) return await prompts.select<string | undefined>(`${question}:`, listChoices(words, optional));
  return await askText(prompts, {
    question: optional ? `${question} (Enter skips it):` : `${question}:`,
    example: EXAMPLES[field.rule ?? "any text"] ?? "relayer-1",
    problem: (answer) => (asFile ? undefined : answerProblem(field, answer)),
    ...(optional && { optional }),
  });
}

const EXAMPLES: Partial<Record<string, string>> = {
  url: "https://vault.example.org",
  u32: "1",
  "account address": "0x8ba1f109551bd432803012645ac136ddd64dba72",
};

function listChoices(words: readonly string[], optional: true | undefined) {
  const choices = words.map((word) => ({ value: word, name: word }));
  return optional ? [{ value: undefined, name: "the service's own choice" }, ...choices] : choices;
}

function answerProblem(field: ConfigField["field"], answer: string): string | undefined {
  if (field.rule === "u32") return /^[0-9]{1,10}$/.test(answer) ? undefined : "a whole number";
  return requestFieldProblem(field, answer);
}

export interface TypedCreation {
  type?: SignerType;
  body: JsonObject;
  file: BodyFile;
  fromFlags: JsonObject;
}

export async function typedSignerCreation(call: Call<CreateFlags>, problems: Problems): Promise<TypedCreation> {
  const { flags } = call;
  const asWritten = await readBodyFile(call.app, flags.file);
  const file = { ...asWritten, fields: omitNulls(asWritten.fields, ["id"]) };
  const type = parseType(
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
  const typed = signerFieldsOf(type)
    .filter((configField) => !isSignerFieldRead(configField))
    .reduce((config, each) => withSignerField(config, each, typedValue(flags[attributeOf(each)], each, problems)), {});
  const config = isJsonObject(file.fields.config) ? mergePatch(file.fields.config, typed) : typed;
  return { type, body: { ...file.fields, ...fromFlags, config }, file, fromFlags };
}

function parseType(typed: JsonValue | undefined, where: string, problems: Problems): SignerType | undefined {
  const type = SIGNER_TYPES.find((type) => type === typed);
  if (type || typed === undefined || problems.has(where)) return type;
  const given = asText(typed);
  problems.add(where, oneOf(given, SIGNER_TYPES), given);
  return undefined;
}

/** The service would silently ignore another type's flags. */
function refuseForeignFields(flags: CreateFlags, type: SignerType, problems: Problems): void {
  const foreignFields = SIGNER_TYPES.flatMap(signerFieldsOf).filter((each) => flags[attributeOf(each)] !== undefined);
  for (const { flag } of foreignFields.filter(({ flag }) => !signerTypesWith(flag).includes(type))) {
    if (!problems.has(flag))
      problems.add(flag, `does not apply to signers of type ${type}, only to ${signerTypesWith(flag).join(", ")}`);
  }
}

function typedValue(typed: string | true | undefined, { field, flag }: ConfigField, problems: Problems) {
  if (typeof typed !== "string") return undefined;
  return field.rule === "u32" ? integerFlag(problems, flag, typed, "a whole number") : typed;
}

/** Returns a config with a field in its position; unchanged without a value. */
export function withSignerField(
  config: JsonObject,
  { path }: Pick<ConfigField, "path">,
  value: JsonValue | undefined,
): JsonObject {
  if (value === undefined) return config;
  const [head = "", ...rest] = path;
  const patch = rest.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
  return mergePatch(config, { [head]: patch });
}

export function signerFieldIn({ config }: JsonObject, { path }: Pick<ConfigField, "path">): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), config);
}

export function validateSignerCreation({ type, body, file, fromFlags }: TypedCreation, problems: Problems): void {
  if (!type) {
    if (body.type === undefined) problems.add("--type", "is required: the signer's type");
    return;
  }
  const { config = {} } = file.fields;
  if (!isJsonObject(config)) {
    problems.add(`${file.name} config`, "an object");
    return;
  }
  const configFields = signerFieldsOf(type);
  for (const { field, flag, path } of configFields) {
    const isMissing = !field.optional && signerFieldIn(body, { path }) === undefined;
    if (isMissing && !problems.has(flag))
      problems.add(flag, `is required for a signer of type ${type}: ${field.about}`);
  }
  const sourceOf = bodyFileSources(fromFlags, file);
  validateBody(problems, createSignerSchemas[type], body, (path) => {
    const configField = configFields.find((each) => `${path}.`.startsWith(`config.${each.path.join(".")}.`));
    return configField && signerFieldIn(file.fields, configField) === undefined
      ? flagAt(configField, path)
      : sourceOf(path);
  });
}

function flagAt({ flag, path: at }: ConfigField, path: string): string {
  const inner = path.split(".").slice(at.length + 1);
  return inner.length === 0 ? flag : `${flag} (${inner.join(".")})`;
}

/** With commander's names: its own flags, and one for each field of each type. */
export interface CreateFlags extends Readonly<Record<string, string | true | undefined>> {
  type?: string;
  id?: string;
  file?: string;
  interactive?: true;
  generate?: true;
  keyOut?: string;
}

export function defineSignerCreateFlags(command: CommandSyntax): void {
  command
    .optionsGroup("Fields")
    .choice("--type <type>", "What holds the key (required)", SIGNER_TYPES)
    .option("--id <id>", `Signer ID, up to ${LONGEST_NEW_ID} letters, digits, - and _ (default: generated)`);
  for (const type of SIGNER_TYPES) {
    const configFields = signerFieldsOf(type).filter(({ flag }) => signerTypesWith(flag)[0] === type);
    if (configFields.length > 0) command.optionsGroup(`Type ${type}`);
    for (const configField of configFields) addFlag(command, configField);
    if (type === "plain") command.option(...GENERATE).option(...KEY_OUT);
  }
  command.optionsGroup("Request").option(...BODY_FILE);
}

export function signerTypesWith(flag: string): SignerType[] {
  return SIGNER_TYPES.filter((type) => signerFieldsOf(type).some((configField) => configField.flag === flag));
}

function addFlag(command: CommandSyntax, configField: ConfigField): void {
  const { field, flag } = configField;
  const [, ...others] = signerTypesWith(flag);
  const notes = [...(field.optional ? ["optional"] : []), ...(others.length > 0 ? [`${others.join(", ")} too`] : [])];
  const about = notes.length === 0 ? field.about : `${field.about} (${notes.join("; ")})`;
  if (field.words) command.choice(`${flag} <word>`, about, field.words);
  else command.option(`${flag} <${isSignerFieldRead(configField) ? "file" : fieldPlaceholder(configField)}>`, about);
}

function fieldPlaceholder({ field }: ConfigField): string {
  if (field.rule === "url") return "url";
  return field.rule === "u32" ? "n" : "text";
}

export interface ConfigField {
  field: SignerField;
  /** From `config` down: `["key", "key_id"]`. */
  path: readonly string[];
  /** `--key-id`, or `--key-file` for a value read from a file. */
  flag: string;
}

export function signerFieldsOf(type: SignerType): ConfigField[] {
  return configFieldsIn(signerFields[type], []);
}

function configFieldsIn(fields: readonly SignerField[], before: readonly string[]): ConfigField[] {
  return fields.flatMap((field) => {
    const path = [...before, field.name];
    return field.fields && !field.asFile ? configFieldsIn(field.fields, path) : { field, path, flag: flagFor(field) };
  });
}

function flagFor({ name, secret, asFile }: SignerField): string {
  return `--${name.replaceAll("_", "-")}${secret || asFile ? "-file" : ""}`;
}

export function attributeOf({ flag }: ConfigField): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function isSignerFieldRead({ field }: ConfigField): boolean {
  return field.secret === true || field.asFile === true;
}
