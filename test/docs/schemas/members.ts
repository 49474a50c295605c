import type { Schema } from "./schema.ts";

const HEAD = `# Members

Every member of the data that commands print with \`-o json\` and \`-o ndjson\`. The [index of the schemas](../schemas/README.md) shows which command prints
which data, and what is true of all of it. \`a.b\` is a member of an object, and \`a[].b\` a member of each object of a list. \`?\` after the type: the
member can be absent.

Tests write this page from the JSON Schemas (\`npx vitest run --project source test/docs/schemas -u\`).
`;

/** Returns the text of docs/reference/members.md: a table of the members for each schema of an object. */
export function membersOf(schemas: Readonly<Record<string, Schema>>): string {
  const tables = Object.entries(schemas).flatMap(([name, schema]) => {
    const rows = memberRows(schema, "");
    const head = [`## ${name}`, "", schema.description, ""];
    return rows.length === 0 ? [] : [[...head, "| Member | Type | Meaning |", "|---|---|---|", ...rows, ""].join("\n")];
  });
  return `${[HEAD, ...tables].join("\n").trimEnd()}\n`;
}

function memberRows(schema: Schema, at: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const isOptional = !schema.required?.includes(name);
    const row = `| \`${at}${name}\` | ${typeName(member)}${isOptional ? " ?" : ""} | ${cell(member.description ?? "")} |`;
    return [row, ...memberRows(member, `${at}${name}.`), ...memberRows(member.items ?? {}, `${at}${name}[].`)];
  });
}

function typeName({ type, enum: words, items }: Schema): string {
  if (words) return words.map((word) => `\`${String(word)}\``).join(", ");
  const types = [type ?? "any"].flat();
  return types.map((each) => (each === "array" && items ? `list of ${typeName(items)}` : each)).join(" or ");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
