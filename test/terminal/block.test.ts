import { blockText } from "../../src/terminal/block.ts";
import { createStyle } from "../../src/terminal/style.ts";
import type { BlockLine } from "../../src/terminal/view.ts";

const line = (label: string, text: string, indent?: true): BlockLine => ({
  label,
  value: { text },
  ...(indent && { indent }),
});
const plain = await createStyle(false);

test("aligns the values of the resource and those of each group separately", () => {
  const lines = [
    line("id", "eth-main-2"),
    line("notification", "ops-hook"),
    line("policies", ""),
    line("gas_price_cap", "80 gwei (80000000000)", true),
    line("whitelist_receivers", "2 addresses", true),
    line("", "0x52908400098527886E0F7030069857D2E4169EE7", true),
  ];
  expect(blockText(lines, plain)).toBe(`\
id              eth-main-2
notification    ops-hook
policies
  gas_price_cap          80 gwei (80000000000)
  whitelist_receivers    2 addresses
                         0x52908400098527886E0F7030069857D2E4169EE7
`);
});

test("shows a value that has line breaks on one line", () =>
  expect(blockText([line("name", "x\npaused    no")], plain)).toBe("name    x\\u{a}paused    no\n"));

test("colors values by their tone and dims labels", async () => {
  const lines: BlockLine[] = [{ label: "state", value: { text: "paused", tone: "warn" } }];
  expect(blockText(lines, await createStyle(true))).toBe("\u001b[2mstate\u001b[22m    \u001b[33mpaused\u001b[39m\n");
});

test("wraps a long value between words, below itself, and breaks no address", () => {
  const address = "0x52908400098527886e0f7030069857d2e4169ee7";
  const lines = [line("reason", "No matching transaction was found"), line("to", `${address} @treasury`, true)];
  expect(blockText(lines, plain, 40)).toBe(`\
reason    No matching transaction was
          found
  to
  ${address}
        @treasury
`);
});
