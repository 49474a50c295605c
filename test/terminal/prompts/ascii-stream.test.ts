import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { streamsForPeople } from "../../../src/terminal/ascii.ts";
import { createPrompts } from "../../../src/terminal/prompts/inquirer.ts";
import { createStyle } from "../../../src/terminal/style.ts";

test("asks in ASCII where the locale is not UTF-8, and returns the input", async () => {
  const input = new PassThrough();
  const terminal = Object.assign(new PassThrough(), { columns: 50, rows: 20 });
  let shown = "";
  terminal.on("data", (chunk) => {
    shown += chunk;
  });
  const { output } = streamsForPeople({ output: terminal }, { LANG: "C" });
  expect(output).toMatchObject({ columns: 50, rows: 20 });
  const prompts = createPrompts({ input, output }, { style: await createStyle(false) });
  const asked = prompts.select("Cap · 80 gwei → 120 gwei?", [{ value: 1, name: "set…" }]);
  setImmediate(() => input.write("\r"));
  expect(await asked).toBe(1);
  expect(shown).toContain("? Cap - 80 gwei -> 120 gwei?");
  expect(shown).toContain("up/down move - enter select");
  expect(shown).toMatch(/^[\r\n\u001b\x20-\x7e]*$/);
});

test("the stream itself is used where the locale is UTF-8", () => {
  const stream = new PassThrough();
  expect(streamsForPeople({ output: stream }, { LANG: "C.UTF-8" }).output).toBe(stream);
});
