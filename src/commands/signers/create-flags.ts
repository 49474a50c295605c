import { LONGEST_NEW_ID } from "../../contract/id.ts";
import { SIGNER_TYPES, type SignerType } from "../../contract/resources/signer.ts";
import { BODY_FILE } from "../flags/options.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { GENERATE, KEY_OUT } from "../generated-key.ts";
import { type ConfigField, configFieldsOf, isRead } from "./config-fields.ts";

/** The flags of `signers create`, with commander's names: its own, and one for each field of each type. */
export interface CreateFlags extends Readonly<Record<string, string | true | undefined>> {
  type?: string;
  id?: string;
  file?: string;
  interactive?: true;
  generate?: true;
  keyOut?: string;
}

/** Adds the flags of every type in groups; a shared flag is listed with the first type. */
export function defineCreateFlags(command: CommandSyntax): void {
  command
    .optionsGroup("Fields")
    .choice("--type <type>", "What holds the key (required)", SIGNER_TYPES)
    .option("--id <id>", `Signer ID, up to ${LONGEST_NEW_ID} letters, digits, - and _ (default: generated)`);
  for (const type of SIGNER_TYPES) {
    const configFields = configFieldsOf(type).filter(({ flag }) => typesWith(flag)[0] === type);
    if (configFields.length > 0) command.optionsGroup(`Type ${type}`);
    for (const configField of configFields) addFlag(command, configField);
    if (type === "plain") command.option(...GENERATE).option(...KEY_OUT);
  }
  command.optionsGroup("Request").option(...BODY_FILE);
}

export function typesWith(flag: string): SignerType[] {
  return SIGNER_TYPES.filter((type) => configFieldsOf(type).some((configField) => configField.flag === flag));
}

function addFlag(command: CommandSyntax, configField: ConfigField): void {
  const { field, flag } = configField;
  const [, ...others] = typesWith(flag);
  const notes = [...(field.optional ? ["optional"] : []), ...(others.length > 0 ? [`${others.join(", ")} too`] : [])];
  const about = notes.length === 0 ? field.about : `${field.about} (${notes.join("; ")})`;
  if (field.words) command.choice(`${flag} <word>`, about, field.words);
  else command.option(`${flag} <${isRead(configField) ? "file" : placeholder(configField)}>`, about);
}

function placeholder({ field }: ConfigField): string {
  if (field.rule === "url") return "url";
  return field.rule === "u32" ? "n" : "text";
}
