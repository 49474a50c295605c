import { describe, expect, test } from "vitest";
import { renderView } from "../../../src/terminal/render.ts";
import { recordingPrinter } from "../recording-printer.ts";
import { base, eth1, eth2, listOf, page, relayer } from "../sample-relayers.ts";

const fleet = () => listOf([page([eth2, eth1, base])]).view;
describe("x", () => {
  for (const format of [undefined, "json", "yaml", "csv", "tsv", "name", "ndjson", "table"] as const)
    for (const cols of [undefined, 120, 20])
      test(`${format} ${cols}`, async () => {
        const r = recordingPrinter(cols, cols === 120);
        await renderView(fleet(), { format }, r.out);
        console.log(format, cols, "\n" + r.stdout(), r.notes);
      });
  for (const query of [
    "[].id",
    "[].{id:id,cap:policies.gas_price_cap}",
    "[?paused].[id,policies.gas_price_cap]",
    "[?id=='base-hot']|[0].policies",
    "[?policies.gas_price_cap>`1`]",
    "[?a==`9007199254740993`]",
    "[?a",
    "length(@)",
  ])
    test(query, async () => {
      const r = recordingPrinter();
      try {
        await renderView(fleet(), { query }, r.out);
      } catch (e) {
        console.log(query, e.message);
      }
      console.log(query, "\n" + r.stdout(), r.notes);
    });
});
