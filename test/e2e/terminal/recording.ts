import { type Step, take } from "../steps.ts";
import { lastQuestion, openTerminal } from "./terminal-session.ts";

/** A session at a terminal, as text: what the screen shows at each step from the last question on, and what is typed then. */
export async function record(line: string, steps: readonly Step[]): Promise<{ exitCode: number; text: string }> {
  const terminal = openTerminal(line);
  const parts = [`$ ${line}`];
  let from = 0;
  const frame = () => {
    const lines = terminal.screen.lines();
    parts.push(lines.slice(from).join("\n").trimEnd());
    from = lines.length - lastQuestion(terminal.screen).length;
  };
  await take(terminal, steps, (keys) => {
    frame();
    parts.push(`        [${keys.join(", ")}]`);
  });
  const { exitCode } = await terminal.ended;
  frame();
  return { exitCode, text: `${parts.join("\n\n")}\n` };
}
