import { createStyle } from "../../src/terminal/style.ts";

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
