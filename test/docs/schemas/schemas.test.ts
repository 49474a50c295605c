import { allCommands } from "../../../src/cli/all-commands.ts";
import { outputShapesOf } from "../../../src/cli/help/output-schemas.ts";
import type { Schema } from "./schema.ts";
import { SCHEMAS } from "./schemas.ts";
import { unseen, violations } from "./violations.ts";

const HEAD = `# Members

Every member of the data that commands print with \`-o json\` and \`-o ndjson\`. The [index of the schemas](../schemas/README.md) shows which command prints
which data, and what is true of all of it. \`a.b\` is a member of an object, and \`a[].b\` a member of each object of a list. \`?\` after the type: the
member can be absent.

Tests write this page from the JSON Schemas (\`npx vitest run --project source test/docs/schemas -u\`).
`;

/** Returns the text of docs/reference/members.md: a table of the members for each schema of an object. */
function membersOf(schemas: Readonly<Record<string, Schema>>): string {
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

const FORMS = { one: "", list: "array of ", events: "lines of " } as const;

function indexOf(schemas: Readonly<Record<string, Schema>>, paths: readonly string[]): string {
  const link = (name: string) => `[${name}](${name}.json)`;
  const rows = Object.entries(schemas).map(([name, { description }]) => `| ${link(name)} | ${description} |`);
  const commands = paths.map((path) => {
    const shapes = outputShapesOf(path).map(({ schema, form }) => `${FORMS[form]}${link(schema)}`);
    return `| \`${path}\` | ${shapes.join(", ") || "no data"} |`;
  });
  return `${[...INTRODUCTION, ...SCHEMA_TABLE, ...rows, "", ...COMMAND_TABLE, ...commands].join("\n")}\n`;
}

const INTRODUCTION = [
  "# Schemas",
  "",
  "The data that commands print with `-o json` and `-o ndjson`, as [JSON Schema](https://json-schema.org/) 2020-12. Tests validate",
  "the output of every command against these files. They are part of the npm package, and `relayctl help --json` has the schemas",
  "of each command in its member `output`.",
  "",
  "- With `-o json`, a list is one array. With `-o ndjson`, each value is on one line.",
  "- Integers have any size: read them with a parser that does not round, or as texts.",
  "- Amounts are in the smallest unit of the coin: wei, lamports, or stroops.",
  "- Data of the service is printed as received: a member can be absent or null, and a later service can add more. RPC URLs are masked.",
  "- In data of relayctl, every required member is present, and null if it is not known. A later version can add members, but does",
  "  not remove or rename any.",
  "- With several contexts (`-c eu,us`), every value is in one array, and each has its context as a last member: `context`. In the",
  "  output of `doctor`, each finding and each skipped check has it.",
  "- `--fields` and `--query` print a part of the data, for which there is no schema.",
  "",
];

const SCHEMA_TABLE = ["## Schemas by name", "", "| Schema | Contents |", "|---|---|"];
const COMMAND_TABLE = ["## Schemas by command", "", "| Command | Data |", "|---|---|"];

const PATHS = (await allCommands()).map(([path]) => path);

test.each(Object.entries(SCHEMAS))("docs/schemas/%s.json is up to date", async (name, schema) => {
  // One line for each member keeps the package small.
  const text = JSON.stringify(schema, null, 1).replace(/\n(?: {3,}| {2}(?=[}\]]))/g, "");
  await expect(`${text}\n`).toMatchFileSnapshot(`../../../docs/schemas/${name}.json`);
});

test("docs/schemas/README.md lists every schema and every command", () =>
  expect(indexOf(SCHEMAS, PATHS)).toMatchFileSnapshot("../../../docs/schemas/README.md"));

test("docs/reference/members.md has the members of every schema", () =>
  expect(membersOf(SCHEMAS)).toMatchFileSnapshot("../../../docs/reference/members.md"));

test("every command has the shapes of its data, and every schema belongs to a command, to help, or to errors", () => {
  const shapes = PATHS.flatMap((path) => outputShapesOf(path).map(({ schema }) => schema));
  expect([...new Set([...shapes, "error", "help"])].sort()).toEqual(Object.keys(SCHEMAS).sort());
  expect(() => outputShapesOf("relayers dance")).toThrow("relayers dance");
});

test("every member of a schema is described in a sentence", () => {
  const undescribed = (value: unknown, at: string): string[] => {
    const { description, properties = {}, items } = value as (typeof SCHEMAS)[string];
    const isDescribed = description !== undefined && /^[A-Z][^\n]*\.$/.test(description);
    return [
      ...(isDescribed ? [] : [`${at}: ${description}`]),
      ...Object.entries(properties).flatMap(([name, member]) => undescribed(member, `${at}.${name}`)),
      ...(items?.properties ? undescribed(items, `${at}[]`) : []),
    ];
  };
  expect(Object.entries(SCHEMAS).flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
});

const OF_RELAYCTL = {
  type: "object",
  properties: { id: { type: "string" }, age: { type: ["integer", "null"] }, state: { enum: ["on", "off"] } },
  required: ["id", "age"],
} as const;

test.each([
  ["nothing wrong", { id: "a", age: 1e30, state: "on" }, []],
  ["a missing member", { id: "a" }, [".age"]],
  ["a renamed member", { id: "a", years: 3 }, [".age", ".years"]],
  ["a wrong type", { id: 1, age: "3" }, [".id", ".age"]],
  ["an unknown word", { id: "a", age: null, state: "maybe" }, [".state"]],
  ["an array", [], [""]],
  ["null", null, [""]],
])("a schema finds %s", (_, value, wrong) => expect(violations(OF_RELAYCTL as never, value)).toEqual(wrong));

test("a schema keeps further members of the service, unless they must be documented", () => {
  const open = { ...OF_RELAYCTL, additionalProperties: true } as never;
  expect(violations(open, { id: "a", age: 1, later: 2 })).toEqual([]);
  expect(violations(open, { id: "a", age: 1, later: 2 }, { isStrict: true })).toEqual([".later"]);
  expect(unseen(open, [{ id: "a", age: 1 }])).toEqual([".state"]);
});
