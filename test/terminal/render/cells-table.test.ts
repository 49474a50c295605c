import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import { renderList } from "../../../src/terminal/render/list.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { gridOf } from "../../../src/terminal/table/grid.ts";
import { joined, tablePieces } from "../../../src/terminal/table.ts";
import { DEEP } from "../../helpers/deep.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { relayerView } from "../sample-relayers.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "a", "ops-hook", "漢字", "x\n", "é  "),
);
const relayers = fc.uniqueArray(fc.record({ id: text, name: text, paused: fc.boolean(), address: text }), {
  maxLength: 12,
  selector: ({ id }) => id,
});

async function* pagesOf(items: readonly JsonObject[], size: number) {
  for (let from = 0; from < items.length; from += size) {
    yield { items: items.slice(from, from + size), total: items.length, body: new Uint8Array() };
  }
}

test("a table built page by page equals the table built from all items in order", async () => {
  await fc.assert(
    fc.asyncProperty(relayers, fc.integer({ min: 1, max: 5 }), async (items, size) => {
      const { out, stdout } = recordingPrinter();
      const pages = pagesOf(items, size);
      await renderList({ kind: "list", resource: relayerView, pages, where: "prod" }, { format: "table" }, out);
      const ordered = [...items].sort((left, right) => (left.id < right.id ? -1 : 1));
      const whole = joined(await tablePieces(gridOf(ordered, relayerView.table), await createStyle(false), true));
      expect(stdout()).toBe(items.length === 0 ? "" : whole);
    }),
    { numRuns: DEEP ? 1_000 : 30 },
  );
});
