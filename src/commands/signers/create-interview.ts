import { askText, flagWords } from "../../command-support/prompting/ask-text.ts";
import { shellVariable } from "../../command-support/request-body/body-placeholders.ts";
import { newIdProblem } from "../../contract/id.ts";
import { Problems } from "../../contract/problems.ts";
import { fieldProblem } from "../../contract/requests.ts";
import { SIGNER_TYPES, type SignerType } from "../../contract/resources/signer.ts";
import { shellOf } from "../../shell/shell-of.ts";
import type { Prompts } from "../../terminal/prompts.ts";
import type { Call } from "../command.ts";
import { attributeOf, type ConfigField, configFieldsOf } from "./config-fields.ts";
import type { CreateFlags } from "./create-flags.ts";
import { configFieldIn, typedCreation } from "./typed-creation.ts";

/** Prompts for the type and required fields; with `-i` for all. Secrets come last, and never on a command line. */
export async function createInterview(call: Call<CreateFlags>): Promise<boolean> {
  const problems = new Problems();
  const { type: typed, body } = await typedCreation(call, problems);
  // No prompts while something typed is wrong.
  if (problems.found.length > 0) return true;
  const { entered } = call;
  const prompts = await call.app.prompts();
  const type = typed ?? (await prompts.select("What holds the key:", TYPES));
  if (!typed) entered.add(flagWords("--type", type));
  if (call.flags.interactive && body.id === undefined) entered.add(flagWords("--id", await askId(prompts)));
  const missing = configFieldsOf(type).filter((configField) => !isTyped(call, configField, body));
  for (const configField of missing.filter(
    ({ field }) => !field.secret && (call.flags.interactive || !field.optional),
  )) {
    entered.add(flagWords(configField.flag, await askConfigField(prompts, configField)));
  }
  return true;
}

/** Returns the flags of the prompted secrets; each file becomes a shell variable, like secrets in a dry run. */
export async function secretWords(call: Call<CreateFlags>): Promise<string[]> {
  const { type, body } = await typedCreation(call, new Problems());
  return (type ? configFieldsOf(type) : [])
    .filter(
      (configField) => configField.field.secret && !configField.field.optional && !isTyped(call, configField, body),
    )
    .map(({ flag }) => `${flag} "${shellVariable(getVariable(flag), shellOf(call.app.env))}"`);
}

/** Returns `KEY_FILE` for `--key-file`. */
function getVariable(flag: string): string {
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

function isTyped(
  { flags }: Call<CreateFlags>,
  configField: ConfigField,
  body: Parameters<typeof configFieldIn>[0],
): boolean {
  if (flags.generate && configField.flag === "--key-file") return true;
  return flags[attributeOf(configField)] !== undefined || configFieldIn(body, configField) !== undefined;
}

async function askConfigField(prompts: Prompts, { field }: ConfigField): Promise<string | undefined> {
  const { about, optional, words, asFile } = field;
  const question = `${about.charAt(0).toUpperCase()}${about.slice(1)}`;
  if (words) return await prompts.select<string | undefined>(`${question}:`, listChoices(words, optional));
  return await askText(prompts, {
    question: optional ? `${question} (Enter skips it):` : `${question}:`,
    example: EXAMPLES[field.rule ?? "any text"] ?? "relayer-1",
    problem: (answer) => (asFile ? undefined : getProblem(field, answer)),
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

function getProblem(field: ConfigField["field"], answer: string): string | undefined {
  if (field.rule === "u32") return /^[0-9]{1,10}$/.test(answer) ? undefined : "a whole number";
  return fieldProblem(field, answer);
}
