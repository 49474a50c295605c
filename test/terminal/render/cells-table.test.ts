import fc from "fast-check";
import { type JsonObject, writeJson } from "../../../src/contract/json.ts";
import { readListReply } from "../../../src/contract/reply/list-reply.ts";
import { renderList } from "../../../src/terminal/render/list.ts";
import { joinTablePieces, tablePieces } from "../../../src/terminal/render/table.ts";
import { createStyle } from "../../../src/terminal/style.ts";
import { gridOf } from "../../../src/terminal/table/grid-column.ts";
import type { ResourceView } from "../../../src/terminal/view.ts";
import { relayerView } from "../../../src/views/relayer.ts";
import { runs } from "../../helpers/deep.ts";
import { recordingPrinter } from "../recording-printer.ts";

const resource = relayerView as ResourceView;
const plain = await createStyle(false);

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "a", "ops-hook", "漢字", "x\n", "é  ", 'a"\\b', "n".repeat(130)),
);
const field = fc.oneof({ weight: 9, arbitrary: text }, fc.constantFrom(null, 1, true, ["a"]));
const reason = fc.constantFrom(null, "x", { type: "RpcValidationFailed", details: "é" });
const relayer = fc.record(
  {
    ...{ id: text, name: field, paused: fc.boolean(), address: field, notification_id: field },
    ...{ network: fc.constantFrom("mainnet", "testnet", "漢"), network_type: fc.constantFrom("evm", "solana") },
    ...{ system_disabled: fc.boolean(), disabled_reason: reason },
  },
  { requiredKeys: ["id", "network_type"] },
);
const relayers = fc.uniqueArray(relayer, { maxLength: 12, selector: ({ id }) => id });

async function* pagesOf(items: readonly JsonObject[], size: number, isBuilt: boolean) {
  for (let from = 0; from < items.length; from += size) {
    const some = items.slice(from, from + size);
    const body = new TextEncoder().encode(`{"data":${writeJson(some)}}`);
    const found = isBuilt ? undefined : readListReply(body, 100_000)?.items;
    yield { items: some, total: items.length, body, ...(found && { found }) };
    // As if another response came into the same memory.
    body.fill(0);
  }
}

async function tableOf(items: readonly JsonObject[], size: number, isBuilt: boolean): Promise<string> {
  const { out, stdout } = recordingPrinter();
  const pages = pagesOf(items, size, isBuilt);
  await renderList({ kind: "list", resource, pages, where: "prod" }, { format: "table" }, out);
  return stdout();
}

test("a table built page by page, from values or from bytes, equals the table built from all items in order", () =>
  fc.assert(
    fc.asyncProperty(relayers, fc.integer({ min: 1, max: 5 }), fc.boolean(), async (items, size, isBuilt) => {
      const ordered = [...items].sort((left, right) => (left.id < right.id ? -1 : 1));
      const whole = joinTablePieces(await tablePieces(gridOf(ordered as JsonObject[], resource.table), plain, true));
      expect(await tableOf(items as JsonObject[], size, isBuilt)).toBe(items.length === 0 ? "" : whole);
    }),
    runs(20, 1_000),
  ));

test("distinguishes the rows before the first difference, however the table is built", async () => {
  const items = ["evm", "evm", "stellar", "evm", ""].map((network_type, index) => ({
    ...{ id: `r${index}`, name: "n", network: "mainnet", network_type, address: "0x1" },
  }));
  for (const isBuilt of [true, false]) {
    const lines = (await tableOf(items, 2, isBuilt)).split("\n");
    expect(lines.slice(1, 6).map((line) => /mainnet(?: \(\w+\))?/.exec(line)?.[0])).toEqual([
      ...["mainnet (evm)", "mainnet (evm)", "mainnet (stellar)", "mainnet (evm)", "mainnet"],
    ]);
  }
});
