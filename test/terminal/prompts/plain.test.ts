import { PassThrough } from "node:stream";
import { createPlainPrompts } from "../../../src/terminal/prompts/plain.ts";
import { promptInLines, shownChoice } from "../../../src/terminal/prompts/run-prompt.ts";
import type { Prompts } from "../../../src/terminal/prompts.ts";

/** Returns a terminal that hands over whole lines, one after each question, and all that was shown. */
function terminal(lines: readonly string[], streams: { interrupt?: AbortSignal; clock?: typeof CLOCK } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const left = [...lines];
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
    if (!/^\? .* $/m.test(shown.split("\n").at(-1) ?? "")) return;
    const line = left.shift();
    if (line !== undefined) setImmediate(() => input.write(line));
  });
  const prompts = createPlainPrompts({ input, output, ...streams });
  return { prompts, input, shown: () => shown };
}

const CLOCK = { sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };

test.each(["y\n", "y"])("what was typed before a question, %j, agrees to nothing", async (before) => {
  const { prompts, input } = terminal(["n\n"], { clock: CLOCK });
  input.write(before);
  expect(await prompts.confirm("Send it?")).toBe(false);
  input.write("prod\n");
  expect(await prompts.text("Context:")).toBe("prod");
});

const COLOURS = ["red", "green", "blue"].map((name) => ({ value: name.length, name }));

test.each([
  [["y\n"], true],
  [["Yes\n"], true],
  [["\n"], false],
  [["maybe\n", "n\n"], false],
])("a yes/no question in plain lines: %j returns %s", async (lines, answer) => {
  const { prompts, shown } = terminal(lines);
  expect(await prompts.confirm("Send it?")).toBe(answer);
  expect(shown()).toMatch(/^\? Send it\? \[y\/N\] /);
  expect(shown().includes("  enter y or n\n")).toBe(lines.length > 1);
});

describe("a text question in plain lines", () => {
  test("returns the typed text or the default", async () => {
    const { prompts, shown } = terminal(["https://a.example.org\n", "\n"]);
    expect(await prompts.text("Server URL:")).toBe("https://a.example.org");
    expect(await prompts.text("Context:", { default: "default" })).toBe("default");
    expect(shown()).toBe("? Server URL: ? Context: [default] ");
  });

  test("repeats the question with the reason until the text is valid", async () => {
    const { prompts, shown } = terminal(["1\n", "12\n"]);
    const validate = (answer: string) => (answer === "12" ? true : "needs a\nnumber");
    expect(await prompts.text("Cap:", { validate })).toBe("12");
    expect(shown()).toBe("? Cap:   needs a\\u{a}number\n? Cap: ");
  });
});

test("hidden text is not shown, not even its length", async () => {
  const { prompts, shown } = terminal(["hunter2\r"]);
  expect(await prompts.hidden("Token (hidden):")).toBe("hunter2");
  expect(shown()).toBe("? Token (hidden): \n");
});

describe("a selection in plain lines", () => {
  test("takes a number, and offers the default", async () => {
    const { prompts, shown } = terminal(["3\n", "\n"]);
    expect(await prompts.select("Colour:", COLOURS)).toBe(4);
    expect(await prompts.select("Colour:", COLOURS, { default: 5 })).toBe(5);
    expect(shown()).toContain("  1  red\n  2  green\n  3  blue\n? Colour: number ");
    expect(shown()).toContain("? Colour: number [2] ");
  });

  test.each([
    ["4", "4 is not a number from 1 to 3"],
    ["red", "red is not a number from 1 to 3"],
    ["", "a number from 1 to 3"],
    ["1 2", "a number from 1 to 3"],
  ])("rejects %j: %s", async (typed, reason) => {
    const { prompts, shown } = terminal([`${typed}\n`, "1\n"]);
    expect(await prompts.select("Colour:", COLOURS)).toBe(3);
    expect(shown()).toContain(`  ${reason}\n`);
  });

  test("rejects a disabled entry", async () => {
    const { prompts, shown } = terminal(["1\n", "2\n"]);
    const choices = [
      { value: 1, name: "red", disabled: "sold out" },
      { value: 2, name: "green", description: "as grass" },
    ];
    expect(await prompts.select("Colour:", choices)).toBe(2);
    expect(shown()).toContain("  1  red  (sold out)\n  2  green  as grass\n");
    expect(shown()).toContain("  1 cannot be selected now\n");
  });

  test("searches a long list, and never shows the whole list", async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ value: index, name: `relayer-${index}` }));
    const { prompts, shown } = terminal(["nothing\n", "er-49\n", "2\n"]);
    expect(await prompts.search("Relayer:", many)).toBe(490);
    expect(shown()).toContain("  20  relayer-19\n  and 480 more\n? Relayer: number or part of a name ");
    expect(shown()).toContain("  nothing matches\n");
    expect(shown()).toContain("  11  relayer-499\n  11 of 500 match\n");
    expect(shown()).not.toContain("relayer-20\n");
  });

  describe("from a long list", () => {
    const fleet = Array.from({ length: 1000 }, (_, index) => ({ value: index + 1, name: `relayer-${index + 1}` }));

    test("searches for a number that was not shown", async () => {
      const { prompts, shown } = terminal(["77\n", "21\n", "2\n"]);
      expect(await prompts.search("Relayer:", fleet)).toBe(121);
      expect(shown()).toContain("   1  relayer-77\n   2  relayer-177\n");
      expect(shown()).toContain("  19 of 1,000 match\n");
    });

    test("searches for a number of an earlier list, and for a number in the omitted part of a list", async () => {
      const { prompts, shown } = terminal(["relayer-99\n", "12\n", "1\n"]);
      expect(await prompts.search("Relayer:", fleet)).toBe(12);
      expect(shown()).toContain("  11  relayer-999\n  11 of 1,000 match\n");
    });

    test("offers the default by name, since its number may not be shown", async () => {
      const { prompts, shown } = terminal(["relayer-99\n", "\n"]);
      expect(await prompts.select("Relayer:", fleet, { default: 77 })).toBe(77);
      expect(shown()).toContain("number or part of a name [relayer-77] ");
    });

    test("shows every entry if several can be selected", async () => {
      const { prompts, shown } = terminal(["25\n"]);
      expect(await prompts.checkbox("Relayers:", fleet.slice(0, 25))).toEqual([25]);
      expect(shown()).toContain("   9  relayer-9\n  10  relayer-10\n");
      expect(shown()).toContain("  25  relayer-25\n");
    });
  });

  test("takes several numbers, or none", async () => {
    const { prompts } = terminal(["3, 1\n", "\n"]);
    expect(await prompts.checkbox("Colours:", COLOURS)).toEqual([3, 4]);
    expect(await prompts.checkbox("Colours:", COLOURS)).toEqual([]);
  });
});

describe("a question in plain lines", () => {
  const ways = ["confirm", "text", "hidden", "select", "search", "checkbox"] as const;
  const ask = (prompts: Prompts, way: keyof Prompts) =>
    way === "select" || way === "search" || way === "checkbox" ? prompts[way]("?", COLOURS) : prompts[way]("?");

  test.each(ways)("%s writes no escape sequences, and escapes those in names", async (way) => {
    const { prompts, shown } = terminal(["1\n", "y\n"]);
    const hostile = [{ value: 1, name: "a\u001b[2J\r" }];
    const choosing = way === "select" || way === "search" || way === "checkbox";
    await (choosing ? prompts[way]("b\u001b[2J", hostile) : prompts[way]("b\u001b[2J"));
    expect(shown()).toContain("\\u{1b}[2J");
    expect(shown()).not.toMatch(/[\r\u001b]/);
  });

  test.each(ways)("%s: the end of the input returns declined", async (way) => {
    const { prompts, input } = terminal([]);
    const asked = ask(prompts, way);
    input.end();
    await expect(asked).rejects.toMatchObject({ failure: "declined", message: "Canceled. Nothing was sent." });
  });

  test.each(ways)("%s: Ctrl-C returns interrupted", async (way) => {
    const interrupt = new AbortController();
    const { prompts } = terminal([], { interrupt: interrupt.signal });
    const asked = ask(prompts, way);
    interrupt.abort("interrupted");
    await expect(asked).rejects.toMatchObject({ failure: "interrupted", message: "Canceled. Nothing was sent." });
  });

  test("Ctrl-C at a hidden question returns interrupted without a signal", async () => {
    const { prompts } = terminal(["hun\u0003"]);
    await expect(prompts.hidden("Token:")).rejects.toMatchObject({ failure: "interrupted" });
  });
});

const ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const ROW = "rpc urls                  1 (masked: replaced as a whole or not at all)";

describe("a text in a prompt", () => {
  test("that fits stays as it is", () => {
    expect(promptInLines(ROW, ROW.length + 6, 6)).toBe(ROW);
    expect(promptInLines(ROW, Number.POSITIVE_INFINITY, 6)).toBe(ROW);
  });

  test("hangs below the second column of a row", () => {
    const indent = " ".repeat(32);
    expect(promptInLines(ROW, 60, 6)).toBe(
      `rpc urls                  1 (masked: replaced as a\n${indent}whole or not at all)`,
    );
  });

  test("hangs below the lead without columns, and if the first is wider than half of the terminal", () => {
    expect(promptInLines("Pause 2 relayers in prod?", 20, 2)).toBe("Pause 2 relayers\n  in prod?");
    expect(promptInLines(ROW, 40, 6)).toMatch(/^rpc urls +1\n {6}\(masked: replaced as a whole or\n {6}not at all\)$/);
  });

  test("hangs below the lead if an ID needs more room than there is below the second column", () => {
    const hash = `0x${"ab".repeat(20)}`;
    expect(promptInLines(`${ID}  confirmed · to ${hash}`, 78, 2)).toBe(`${ID}  confirmed · to\n  ${hash}`);
    expect(promptInLines(`${ID}  confirmed · to ${hash}`, 84, 2)).toBe(
      `${ID}  confirmed · to\n${" ".repeat(40)}${hash}`,
    );
  });

  test("is never broken within an ID, even if that is wider than the terminal", () => {
    for (let columns = 10; columns < 60; columns++)
      expect(promptInLines(`Cancel ${ID} now?`, columns, 2)).toContain(ID);
  });

  test("keeps the short form of a choice on one line", () => {
    const { name, short } = shownChoice({ value: 1, name: ROW }, 60, 6);
    expect([name.split("\n").length, short]).toEqual([2, ROW]);
  });
});
