import { OUTPUT_FORMATS, type OutputFormat } from "../../../terminal/output-options.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { allCommands } from "../../all-commands.ts";
import { helpSection, helpText, type Row, type TopicPage } from "../block.ts";

const FORMATS: Record<OutputFormat, string> = {
  table:
    "For reading, fitted to the terminal; the default at a terminal. Long values are cut with …, but no ID, address, or hash",
  json: "The service's own data: names, order, unknown fields, and every digit; a list is one array",
  ndjson: "One compact object per line, written as pages arrive",
  yaml: "The same data as json, in YAML",
  csv: "A header and fixed columns",
  tsv: "Fixed columns without a header, values in full; the default in a pipe, where a single item is key<TAB>value lines",
  name: "IDs only",
  prom: "Metrics for Prometheus; only `relayers status`",
  markdown: "For a comment on a pull request; only `plan` and `drift`",
  sarif: "For code scanning; only `validate`",
  github: "Annotations of lines in GitHub Actions; only `validate`",
  raw: "The response body exactly as received; one page of a list",
};

const CHOOSING: readonly Row[] = [
  { term: "--fields a,b.c", text: "Show these columns or fields; dots reach nested fields" },
  { term: "--query EXPR", text: "Filter the whole result with a JMESPath expression" },
  {
    term: "--where COND",
    text: "Filter a list, e.g. paused, !paused, network=base,mainnet, policies.gas_price_cap>80gwei",
  },
  { term: "--sort FIELD", text: "Sort a list (-FIELD for descending order)" },
  { term: "--limit N", text: "Show the first N items of a list, after filtering" },
];

export const outputPage: TopicPage = async () => {
  const shown = new Map<string, ResourceView>();
  for (const [, { resource }] of await allCommands())
    if (resource && resource.fields.length > (shown.get(resource.one)?.fields.length ?? -1))
      shown.set(resource.one, resource);
  const resources = [...shown.values()];
  return [
    helpText(
      "Results go to stdout, and all messages go to stderr. In a pipe, the same command prints the same bytes, whatever " +
        "the width and the locale, and only -o table can have colors. Amounts are never rounded.",
    ),
    helpSection(
      "Formats (-o)",
      OUTPUT_FORMATS.map((term) => ({ term, text: FORMATS[term] })),
    ),
    helpSection("Columns and filters", CHOOSING),
    helpSection(
      "Columns of tsv and csv (new columns come last)",
      resources.map(({ one, flat }) => ({ term: one, text: flat.join(", ") })),
    ),
    helpText(
      "--fields, --where, and --sort take these columns and every other field of the JSON, e.g. policies.min_balance; " +
        "completion offers them, and docs/schemas describes them.",
    ),
    helpText(
      "tsv, csv, and name write a tab, a newline, and a backslash as \\t, \\n, and \\\\. A null or missing field is empty.",
    ),
    helpText(
      "The package has a JSON Schema of everything that json and ndjson print, in docs/schemas. `relayctl help --json` " +
        "lists the schemas of each command, with its flags and its exit codes.",
    ),
  ];
};
