import { outputShapesOf } from "../../../src/cli/help/output-schemas.ts";
import type { Schema } from "./schema.ts";

const FORMS = { one: "", list: "array of ", events: "lines of " } as const;

export function indexOf(schemas: Readonly<Record<string, Schema>>, paths: readonly string[]): string {
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
