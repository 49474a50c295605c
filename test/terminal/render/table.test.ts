import fc from "fast-check";
import { listPage } from "../../../src/client/pagination/list-page.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { readListReply } from "../../../src/contract/reply/list-reply.ts";
import { ndjsonLine } from "../../../src/terminal/formats/ndjson.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { BufferedTexts } from "../../../src/terminal/render/buffered-texts.ts";
import { renderedItems } from "../../../src/terminal/render/list.ts";
import { printTableFields, printTableItems } from "../../../src/terminal/render/table.ts";
import { jsonValueText } from "../../../src/terminal/render/value.ts";
import { renderView } from "../../../src/terminal/render.ts";
import { readSelection } from "../../../src/terminal/select/selection.ts";
import type { Page, ResourceView } from "../../../src/terminal/view.ts";
import { runs } from "../../helpers/deep.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { base, eth2, listOf, page, relayer, relayerView } from "../sample-relayers.ts";

describe("a table", () => {
  const signed: Pick<ResourceView, "table" | "sign"> = {
    table: relayerView.table.slice(0, 3),
    sign: ({ paused }) => (paused === true ? { sign: "paused", tone: "warn" } : { sign: "active", tone: "good" }),
  };

  async function tableOf(
    items: readonly JsonObject[],
    view: Pick<ResourceView, "table" | "sign">,
    { columns, color = false, ...more }: { columns?: number; color?: boolean; isAscii?: true; isPlain?: true },
  ) {
    const { out, stdout, notes } = recordingPrinter(columns, color);
    await printTableItems(items, view, true, { ...out, ...more });
    return { stdout: stdout(), notes };
  }

  const wide = relayer('{"id":"wide","name":"漢字","paused":true}');

  test("puts a sign before each row on a terminal, colored as the word that it repeats", async () => {
    expect((await tableOf([base, eth2, wide], signed, { columns: 80 })).stdout).toBe(`\
  ID          NAME       STATE
● base-hot    Base hot   active
‖ eth-main-2  Mainnet 2  paused
‖ wide        漢字       paused
`);
    const colored = (await tableOf([base, eth2], signed, { columns: 80, color: true })).stdout;
    expect(colored).toContain("\u001b[32m●\u001b[39m base-hot");
    expect(colored).toContain("\u001b[33m‖\u001b[39m eth-main-2");
  });

  test("puts ASCII signs on a terminal that shows ASCII alone, and none into a pipe or before a screen reader", async () => {
    const { stdout } = await tableOf([base, eth2], signed, { columns: 80, isAscii: true });
    expect(stdout).toBe(`\
  ID          NAME       STATE
* base-hot    Base hot   active
= eth-main-2  Mainnet 2  paused
`);
    expect((await tableOf([base], signed, { columns: 80, isPlain: true })).stdout).toMatch(/^ID .*\nbase-hot /);
    expect((await tableOf([base], signed, {})).stdout).toBe("ID        NAME      STATE\nbase-hot  Base hot  active\n");
  });

  const reasons: ResourceView["table"] = [
    { header: "id", cell: () => ({ text: "2b0d7b5e-4a38-4b0e-9c1d-0e5f6a7b8c9d" }), whole: true },
    {
      header: "state",
      cell: () => ({ text: "disabled · balance below the minimum, or could not be read" }),
      worth: "always",
    },
    { header: "reason", cell: () => ({ text: "a reason that is longer than its column" }), most: 20 },
  ];

  test("cuts a text that is never hidden if it does not fit, and says so", async () => {
    const { stdout, notes } = await tableOf([base], { table: reasons }, { columns: 60 });
    expect(stdout).toBe(`\
ID                                    STATE
2b0d7b5e-4a38-4b0e-9c1d-0e5f6a7b8c9d  disabled · balance be…
`);
    expect(notes).toEqual([
      "1 column hidden for width: reason (-o tsv has all)",
      "long values cut with …: state (-o tsv has all)",
    ]);
  });

  test("shows more of a cut text where there is space", async () => {
    expect((await tableOf([base], { table: reasons }, { columns: 140 })).stdout).toContain(
      "a reason that is longer than its column\n",
    );
    expect((await tableOf([base], { table: reasons }, { columns: 122 })).stdout).toContain(
      "a reason that is longer…\n",
    );
  });

  test("draws named fields as blocks where they do not fit into a table", async () => {
    const paths = ["id", "paused", "address"];
    const at = async (columns: number) => {
      const { out, stdout, notes } = recordingPrinter(columns);
      await printTableFields([base, eth2], paths, { resource: {}, headers: true }, out);
      expect(notes).toEqual([]);
      return stdout();
    };
    expect(await at(80)).toMatch(/^ID +PAUSED +ADDRESS\n/);
    expect(await at(60)).toBe(`\
id         base-hot
paused     false
address    0x8ba1f109551bd432803012645ac136ddd64dba72

id         eth-main-2
paused     true
address    0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc
`);
  });

  describe("a column that gets separate lines", () => {
    const view: Pick<ResourceView, "table" | "sign"> = {
      ...signed,
      table: [
        { header: "name", cell: ({ name }) => ({ text: String(name) }), whole: true },
        { header: "id", cell: ({ id }) => ({ text: String(id) }), whole: true, isBelow: true },
        { header: "state", cell: ({ paused }) => ({ text: paused ? "paused" : "active" }), worth: "always" },
      ],
    };

    test("is below each row if the terminal has no room for it, and is not counted as hidden", async () => {
      const { stdout, notes } = await tableOf([base, eth2], view, { columns: 24 });
      expect(stdout).toBe(`\
  NAME       STATE
  ID
● Base hot   active
  base-hot
‖ Mainnet 2  paused
  eth-main-2
`);
      expect(notes).toEqual([]);
    });

    test("is a column if there is room", async () => {
      const { stdout } = await tableOf([base], view, { columns: 80 });
      expect(stdout).toBe("  NAME      ID        STATE\n● Base hot  base-hot  active\n");
    });

    test("keeps rows apart whose cells are wide, and escapes its own", async () => {
      const { stdout } = await tableOf([{ ...wide, id: "a\nb" }], view, { columns: 20 });
      expect(stdout).toBe("  NAME  STATE\n  ID\n‖ 漢字  paused\n  a\\u{a}b\n");
    });
  });
});

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

describe("held rows", () => {
  const id = fc.oneof(fc.string({ unit: "grapheme", maxLength: 4 }), fc.constantFrom("\u{1f680}", "\ufb01", "a", "b"));
  const cap = fc.constantFrom(10, 9, 12345678901234567890n, null, "9.50", "x");
  const item = fc.record({ id, name: fc.string({ maxLength: 3 }), policies: fc.record({ gas_price_cap: cap }) });
  const pages = fc.array(fc.array(item, { maxLength: 4 }), { maxLength: 4 });
  const shapes = fc.record({
    sort: fc.constantFrom(undefined, "name", "-policies.gas_price_cap"),
    limit: fc.constantFrom(undefined, 1, 3),
    inOrder: fc.boolean(),
    inContexts: fc.boolean(),
  });

  const wholes: Record<"json" | "yaml" | "ndjson", (items: JsonObject[]) => string | Promise<string>> = {
    json: jsonValueText,
    yaml: yamlText,
    ndjson: (items) => items.map(ndjsonLine).join(""),
  };

  test.each(["json", "yaml", "ndjson"] as const)("prints a list as %s in the order of its values", async (format) => {
    await fc.assert(
      fc.asyncProperty(pages, shapes, async (lists, { inOrder, inContexts, ...selecting }) => {
        // Only a sort holds the rows of ndjson.
        const options: OutputOptions = { ...selecting, ...(format === "ndjson" && { sort: "name" }), format };
        const { view } = listOf(
          lists.map((items, index) => ({ ...page(items), ...(inContexts && { context: `c${index % 2}` }) })),
        );
        const listed = { ...view, ...(inOrder && { inOrder }), ...(inContexts && { inContexts }) };
        const recording = recordingPrinter();
        await renderView(listed, options, recording.out);
        const selection = await readSelection(options, relayerView);
        const all = lists.flatMap((items, index) =>
          items.map((each) => (inContexts ? { ...each, context: `c${index % 2}` } : each)),
        );
        const read = options.sort ? all : all.slice(0, options.limit);
        expect(recording.stdout()).toBe(await wholes[format](renderedItems(read, listed, selection)));
      }),
      runs(20, 1_200),
    );
  });

  test("writes nothing of a list that fails, in any format that is written at the end", async () => {
    for (const format of ["json", "yaml", "tsv", "csv", "name"] as const) {
      const recording = recordingPrinter();
      const { view } = listOf([page([{ id: "a" }])], new Error("cut"));
      await expect(renderView(view, { format }, recording.out)).rejects.toThrow("cut");
      expect(recording.writes()).toBe(0);
    }
  });

  test("holds texts of any length, and returns them in any order", () => {
    const texts = [
      "",
      "a".repeat(300_000),
      "é",
      "🚀".repeat(70_000),
      "",
      "中".repeat(90_000),
      "b".repeat(200_000),
      "c",
    ];
    const held = new BufferedTexts();
    for (const text of texts) held.add(text);
    const whole = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString();
    expect(held.count).toBe(texts.length);
    expect(texts.map((_, index) => held.textAt(index))).toEqual(texts);
    expect(whole(held.inOrder())).toBe(texts.join(""));
    expect(whole(held.inOrderOf([7, 3, 0, 1, 7]))).toBe(["c", texts[3], "", texts[1], "c"].join(""));
  });
});
