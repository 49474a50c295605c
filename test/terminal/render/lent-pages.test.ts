import { listPage } from "../../../src/client/pagination/list-page.ts";
import { readListReply } from "../../../src/contract/reply/list-reply.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { renderView } from "../../../src/terminal/render.ts";
import type { Page } from "../../../src/terminal/view.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { listOf } from "../sample-relayers.ts";

const ITEMS = ["b", "a", "é😀", 'q\\"', "d"].map(
  (id, index) =>
    `{"id":"${id}","name":"Relayer ${id}","paused":${index % 2 === 0},"address":"0x${"a".repeat(40)}","n":${2n ** 70n},` +
    `"custom_rpc_urls":[{"url":"https://h.example/${index === 1 ? "key" : "***"}","weight":${index}}]}`,
);
const BODIES = [ITEMS.slice(0, 3).join(","), ITEMS.slice(3).join(" , ")].map(
  (items) => `{"success":true,"data":[${items}],"error":null,"pagination":{"total_items":${ITEMS.length}}}`,
);

function pages(isLent: boolean): Page[] {
  return BODIES.map((text) => {
    const body = new TextEncoder().encode(text);
    const release = () => void body.fill(0x58);
    const { items = [] } = readListReply(body, 100_000) ?? {};
    return listPage(items, { total: ITEMS.length, body, ...(isLent && { release }) });
  });
}

async function printed(options: OutputOptions, isLent: boolean): Promise<string> {
  const recording = recordingPrinter();
  await renderView(listOf(pages(isLent)).view, options, recording.out);
  return recording.stdout();
}

const OPTIONS: readonly OutputOptions[] = [
  { format: "ndjson" },
  { format: "ndjson", fields: "id,custom_rpc_urls" },
  { format: "ndjson", where: ["paused=true"] },
  { format: "json" },
  { format: "json", limit: 4 },
  { format: "table" },
  { format: "table", sort: "name" },
  { format: "tsv" },
  { format: "csv", sort: "-id" },
  { format: "yaml" },
  { format: "name" },
  { format: "json", query: "[].name" },
];

test.each(OPTIONS.map((options) => [options]))(
  "a list is printed the same from memory that is overwritten after each page, with %j",
  async (options) => {
    const ordinary = await printed(options, false);
    expect(ordinary).toContain("a");
    expect(await printed(options, true)).toBe(ordinary);
  },
);
