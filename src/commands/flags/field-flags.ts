import { validateId } from "../../command-support/ids.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { nullableTextFlag, type Problems } from "../../contract/problems.ts";
import { type FieldTable, type SentField, sentFields } from "../../contract/resources/field.ts";
import type { FieldFlags } from "../../contract/resources/field-types.ts";
import { parseRpcUrlFlag } from "../../views/rpc-url-flags.ts";
import type { CommandSyntax } from "../command.ts";

type Use = "create" | "update";

type DeclaredFields<T, U extends Use, Flags = Required<FieldFlags<T, U>>> = {
  [Member in keyof Flags & string]: [Member, Flags[Member]];
}[keyof Flags & string];

export function defineFieldFlags<T extends FieldTable, U extends Use>(
  command: CommandSyntax,
  table: T,
  use: U,
  reword: (flag: string, words: string) => string = (_, words) => words,
): CommandSyntax<DeclaredFields<T, U>> {
  const fields = sentFields(table, use).map(([, field]) => field);
  const needed = fields.filter((field) => "needed" in field);
  for (const field of needed) {
    const [flag, words] = field.flag ?? [];
    defineFlag(command, flag && words ? { ...field, flag: [flag, reword(flag, words)] } : field);
  }
  for (const field of fields) if (!("needed" in field)) defineFlag(command, field);
  return command;
}

function defineFlag(command: CommandSyntax, { form, words, flag, clear }: SentField): void {
  if (flag && words) command.choice(...flag, words);
  else if (flag && form === "rpc urls") command.option(...flag, "values");
  else if (flag) command.option(...flag);
  if (clear) command.option(...clear);
}

/** Returns the typed fields of a body. Absent, null, and value stay distinct. @param flags with commander's names */
export function fieldsFromFlags(problems: Problems, table: FieldTable, use: Use, flags: object): JsonObject {
  const typed: ReadonlyMap<string, unknown> = new Map(Object.entries(flags));
  const body: JsonObject = {};
  for (const [name, field] of sentFields(table, use)) {
    const value = typedValue(problems, field, typed);
    if (typeof value === "string" && use === "update" && field.refersTo) validateId(problems, longFlag(field), value);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

function typedValue(problems: Problems, field: SentField, typed: ReadonlyMap<string, unknown>): JsonValue | undefined {
  const flag = longFlag(field);
  const value = typed.get(attributeName(flag));
  if (typeof value === "boolean" && field.form === "flag") return value;
  if (field.clear && typed.get(attributeName(field.clear[0].replace("--no-", "--"))) === false) {
    if (value !== undefined && value !== false) problems.add(flag, `cannot be combined with ${field.clear[0]}`);
    return null;
  }
  if (Array.isArray(value)) return value.map((text) => parseRpcUrlFlag(problems, String(text)));
  if (typeof value !== "string") return undefined;
  return field.clear ? nullableTextFlag(problems, flag.slice(2), value) : value;
}

function longFlag({ flag }: SentField): string {
  return flag?.[0].split(" ")[0] ?? "";
}

function attributeName(flag: string): string {
  return flag.slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
