import { OUTPUT_FORMATS, type OutputFormat } from "../../../terminal/output-options.ts";
import type { ResourceView } from "../../../terminal/view.ts";
import { allCommands } from "../../all-commands.ts";
import { type Row, sectionOf, textOf } from "../block.ts";
import type { TopicPage } from "../topic.ts";

const FORMATS: Record<OutputFormat, string> = {
  table:
    "for a person, fitted to the terminal; the default there. Long values are cut with …, but no ID, address, or hash",
  json: "what the service sent: names, order, unknown members, every digit; a list as one array",
  ndjson: "one compact object a line, written as the pages arrive",
  yaml: "the same as json, to read",
  csv: "a header and fixed columns",
  tsv: "fixed columns without a header, whole values; the default in a pipe, where one thing is key<TAB>value lines",
  name: "ids alone",
  raw: "the reply's body exactly as received; of a list, one page",
};

const CHOOSING: readonly Row[] = [
  { term: "--fields a,b.c", text: "these columns or members; nested ones with dots" },
  { term: "--query EXPR", text: "a JMESPath expression over the whole result" },
  { term: "--where COND", text: "of a list: paused, !paused, network=base,mainnet, policies.gas_price_cap>80gwei" },
  { term: "--sort FIELD", text: "of a list; -FIELD for the largest first" },
  { term: "--limit N", text: "of a list: the first N that are left" },
];

/** `relayctl help output` */
export const outputPage: TopicPage = async () => {
  const resources = await allResources();
  return [
    textOf(
      "The result goes to stdout, and everything said to a person to stderr. In a pipe the same command gives the same " +
        "bytes, whatever the width, the colours and the locale. A number is never rounded.",
    ),
    sectionOf(
      "Formats (-o)",
      OUTPUT_FORMATS.map((term) => ({ term, text: FORMATS[term] })),
    ),
    sectionOf("Choosing", CHOOSING),
    sectionOf("Columns of tsv and csv, only ever appended to", resources.map(columnsOf)),
    sectionOf("Fields of --fields, --where and --sort", resources.map(fieldsOf)),
    textOf(
      "tsv, csv and name write a tab, a line end and a backslash as \\t, \\n and \\\\, and null or an absent member as nothing.",
    ),
  ];
};

async function allResources(): Promise<ResourceView[]> {
  const shown = (await allCommands()).flatMap(([, { resource }]) => resource ?? []);
  return [...new Set(shown)];
}

function columnsOf({ one, flat }: ResourceView): Row {
  return { term: one, text: flat.join(", ") };
}

const POLICY = "policies.";

/** Policies have a page of their own. */
function fieldsOf({ one, fields }: ResourceView): Row {
  const shown = fields.filter((path) => !path.startsWith(POLICY));
  const policies = shown.length < fields.length ? [`${POLICY}KEY (relayctl help policies)`] : [];
  return { term: one, text: [...shown, ...policies].join(", ") };
}
