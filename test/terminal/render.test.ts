import { markMasked } from "../../src/contract/secret-fields.ts";
import { blockText } from "../../src/terminal/block.ts";
import { renderView } from "../../src/terminal/render.ts";
import { createOutput } from "../../src/terminal/streams/output.ts";
import { createStyle } from "../../src/terminal/style.ts";
import type { BlockLine } from "../../src/terminal/view.ts";
import { recordingPrinter } from "./recording-printer.ts";

async function printed(text: string, columns?: number): Promise<string> {
  const recording = recordingPrinter(columns);
  await renderView({ kind: "text", text }, { format: "json" }, recording.out);
  return recording.stdout();
}

test("a text result is printed unchanged with a line break in every format", async () => {
  expect(await printed("PATCH /api/v1/relayers/r1\n")).toBe("PATCH /api/v1/relayers/r1\n");
  expect(await printed("curl 'x\u001b'")).toBe("curl 'x\u001b'\n");
  expect(await printed("curl 'x\u001b'", 80)).toBe("curl 'x\\u{1b}'\n");
});

test("a secret result is revealed, and any other text is redacted", async () => {
  const written: unknown[] = [];
  const write = (chunk: unknown, done: () => void) => {
    written.push(chunk);
    done();
  };
  const stdout = createOutput(
    "stdout",
    { isTerminal: false, open: () => ({ write, on: () => undefined }) },
    { redact: (text) => markMasked(text.replaceAll("hunter2", "[token]")), mayOccurIn: () => true },
  );
  const out = { ...recordingPrinter().out, stdout };
  await renderView({ kind: "text", text: "hunter2", secret: true }, {}, out);
  await renderView({ kind: "text", text: "hunter2" }, {}, out);
  expect(written).toEqual(["hunter2\n", "[token]\n"]);
});

test("an empty result prints nothing", async () => {
  const recording = recordingPrinter();
  await renderView({ kind: "nothing" }, {}, recording.out);
  expect(recording.writes()).toBe(0);
});

describe("a block", async () => {
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
});

describe("style", () => {
  test("colors each tone", async () => {
    const style = await createStyle(true);
    const shown = (["good", "warn", "bad", "faint"] as const).map((tone) => style.cell({ text: "x", tone }));
    expect(shown).toEqual([
      "\u001b[32mx\u001b[39m",
      "\u001b[33mx\u001b[39m",
      "\u001b[31mx\u001b[39m",
      "\u001b[2mx\u001b[22m",
    ]);
    expect(style.cell({ text: "x" })).toBe("x");
  });

  test("keeps every text unchanged without color", async () => {
    const style = await createStyle(false);
    expect([style.cell({ text: "paused", tone: "warn" }), style.faint("ID")]).toEqual(["paused", "ID"]);
  });

  test("has a cyan mark for questions, and alarms in red and bold", async () => {
    const style = await createStyle(true);
    expect(style.asking("?")).toBe("\u001b[36m?\u001b[39m");
    expect(style.alarm("error:")).toBe("\u001b[31m\u001b[1merror:\u001b[22m\u001b[39m");
  });
});
