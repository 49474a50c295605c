import { createLentTerminal } from "../../../src/config/editor/lent-terminal.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";

test("the terminal counts as lent until 50 ms after its use, since a Ctrl-C can arrive late", async () => {
  const clock = steppedClock();
  const terminal = createLentTerminal(clock);
  expect(terminal.isTerminalLent()).toBe(false);
  const used = terminal.lendTerminal(async () => "edited");
  await clock.pass(49);
  expect(terminal.isTerminalLent()).toBe(true);
  await clock.pass(1);
  expect(terminal.isTerminalLent()).toBe(false);
  expect(await used).toBe("edited");
});
