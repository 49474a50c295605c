import { type SignerField, type SignerType, signerFields } from "../../contract/resources/signer.ts";

export interface ConfigField {
  field: SignerField;
  /** From `config` down: `["key", "key_id"]`. */
  path: readonly string[];
  /** `--key-id`, or `--key-file` for a value read from a file. */
  flag: string;
}

export function configFieldsOf(type: SignerType): ConfigField[] {
  return configFieldsIn(signerFields[type], []);
}

function configFieldsIn(fields: readonly SignerField[], before: readonly string[]): ConfigField[] {
  return fields.flatMap((field) => {
    const path = [...before, field.name];
    return field.fields && !field.asFile ? configFieldsIn(field.fields, path) : { field, path, flag: getFlag(field) };
  });
}

function getFlag({ name, secret, asFile }: SignerField): string {
  return `--${name.replaceAll("_", "-")}${secret || asFile ? "-file" : ""}`;
}

export function attributeOf({ flag }: ConfigField): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function isRead({ field }: ConfigField): boolean {
  return field.secret === true || field.asFile === true;
}
