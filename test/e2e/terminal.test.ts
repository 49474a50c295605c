import { exited } from "../helpers/exited.ts";
import { inTerminal } from "./terminal/terminal.ts";

const LIST = "relayctl --demo relayers list";
const ESCAPE = "\u001b[";

test("prints a table with colors and a count on a terminal", async () => {
  const { shown } = await exited(0, inTerminal(LIST));
  expect(shown).toContain("ID");
  expect(shown).toContain(ESCAPE);
  expect(shown).toMatch(/8 relayers · demo/);
});

test.each([
  ["TERM=dumb", { TERM: "dumb" }],
  ["NO_COLOR=1", { NO_COLOR: "1" }],
])("%s: prints no escape sequences", async (_, env) => {
  const { shown } = await exited(0, inTerminal(LIST, { env }));
  expect(shown).toContain("ID");
  expect(shown).not.toContain("\u001b");
});
