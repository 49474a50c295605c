import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/contract/json.ts";
import type { ResourceView } from "../../src/terminal/view.ts";
import { notificationView } from "../../src/views/notification.ts";
import { pluginView } from "../../src/views/plugin.ts";
import { relayerView } from "../../src/views/relayer.ts";
import { networkView } from "../../src/views/rpc-url-flags.ts";
import { signerView } from "../../src/views/signer.ts";
import { transactionView } from "../../src/views/transaction/record.ts";
import { runs } from "../helpers/deep.ts";

const VIEWS = [relayerView, notificationView, transactionView, networkView, signerView, pluginView] as ResourceView[];

/** Items with members of every sort that a service may send, and that a cell shows. */
function itemsOf({ fields }: ResourceView): fc.Arbitrary<JsonObject> {
  const names = new Set(fields.map((path) => path.split(".")[0] ?? path));
  const value = fc.oneof(
    fc.boolean(),
    fc.jsonValue(),
    fc.constantFrom("confirmed", "failed", "pending", "reverted on-chain", "consumed externally", "5"),
    fc.constantFrom({ type: "NonceSyncFailed", details: "x" }, { type: "Multiple", details: [{ type: "a" }, "b"] }),
  );
  const values = Object.fromEntries([...names].map((name) => [name, value]));
  return fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Record<string, JsonValue>>;
}

test.each(VIEWS.map((view) => [view.many, view] as const))(
  "a cell of %s depends only on the fields that it declares, and shows the text of one as it is if it declares that",
  (_, view) => {
    const columns = view.table.filter(({ reads }) => reads);
    expect(columns.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(itemsOf(view), (item) => {
        for (const { cell, apart, reads = [], shows = "" } of columns) {
          const some = Object.fromEntries(Object.entries(item).filter(([name]) => reads.includes(name)));
          expect(cell(some)).toEqual(cell(item));
          expect(apart?.(some)).toEqual(apart?.(item));
          if (item[shows] && typeof item[shows] === "string") expect(cell(item)).toEqual({ text: item[shows] });
        }
      }),
      runs(20, 6_000),
    );
  },
);

test("every cell of relayers and notifications declares its fields", () => {
  for (const { table } of [relayerView, notificationView])
    expect(table.filter(({ reads }) => reads === undefined)).toEqual([]);
});
