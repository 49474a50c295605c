import fc from "fast-check";
import type { JsonObject } from "../../../src/contract/json.ts";
import { ndjsonLine } from "../../../src/terminal/formats/ndjson.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import type { OutputOptions } from "../../../src/terminal/output-options.ts";
import { BufferedTexts } from "../../../src/terminal/render/buffered-texts.ts";
import { renderedItems } from "../../../src/terminal/render/list.ts";
import { jsonValueText } from "../../../src/terminal/render/value.ts";
import { renderView } from "../../../src/terminal/render.ts";
import { readSelection } from "../../../src/terminal/select/selection.ts";
import { runs } from "../../helpers/deep.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { listOf, page, relayerView } from "../sample-relayers.ts";

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
  const texts = ["", "a".repeat(300_000), "é", "🚀".repeat(70_000), "", "中".repeat(90_000), "b".repeat(200_000), "c"];
  const held = new BufferedTexts();
  for (const text of texts) held.add(text);
  const whole = (pieces: Iterable<Uint8Array>) => Buffer.concat([...pieces]).toString();
  expect(held.count).toBe(texts.length);
  expect(texts.map((_, index) => held.textAt(index))).toEqual(texts);
  expect(whole(held.inOrder())).toBe(texts.join(""));
  expect(whole(held.inOrderOf([7, 3, 0, 1, 7]))).toBe(["c", texts[3], "", texts[1], "c"].join(""));
});
