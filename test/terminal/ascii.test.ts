import { asciiOutput, asciiText } from "../../src/terminal/ascii.ts";
import { SIGNS } from "../../src/terminal/view.ts";
import { textWidth } from "../../src/terminal/width.ts";
import { memoryOutput } from "../helpers/memory/output.ts";

const redact = (text: string) => text;

describe("a text in ASCII", () => {
  test("has ASCII for each sign of this program, and keeps what else it holds", () => {
    expect(asciiText("✓ cap 80 gwei → 120 gwei · 3 of 5 – 2 × 4 …")).toBe(
      "+ cap 80 gwei -> 120 gwei - 3 of 5 - 2 x 4 ...",
    );
    expect(asciiText("↑/↓ move ⠋ █░")).toBe("up/down move * #.");
    expect(asciiText("Zoë 漢字 “x”")).toBe("Zoë 漢字 “x”");
  });

  test("has signs of one column that differ from each other", () => {
    const shown = Object.values(SIGNS).map(asciiText);
    expect(new Set(shown).size).toBe(shown.length);
    for (const sign of shown) expect(textWidth(sign)).toBe(1);
  });
});

const written = async (terminal: boolean, env: Record<string, string>) => {
  const output = memoryOutput({ terminal, columns: 80, rows: 24, redact });
  await asciiOutput(output, env).write("● eth-main-1  nonce sy…\n");
  return output.text();
};

test.each([
  [true, { LC_ALL: "C" }, "* eth-main-1  nonce sy~\n"],
  [true, { LC_ALL: "en_US.UTF-8", LANG: "C" }, "● eth-main-1  nonce sy…\n"],
  [false, { LC_ALL: "C" }, "● eth-main-1  nonce sy…\n"],
])("what is written for people to a terminal (%s) with %j", async (terminal, env, expected) => {
  expect(await written(terminal, env)).toBe(expected);
});
