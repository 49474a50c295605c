import type { App } from "../../app.ts";
import type { Output } from "../../terminal/streams.ts";
import type { Call } from "../command.ts";

/** Returns the lines that a command would print on a terminal of this width. It gets no keys, and can ask nothing. */
export async function captureLines(
  { app, perform }: Pick<Call, "app" | "perform">,
  argv: readonly string[],
  columns: number,
): Promise<readonly string[]> {
  const pieces: string[] = [];
  const output = (isTerminal: boolean): Output =>
    Object.create(app.stdout, {
      isTerminal: { value: isTerminal },
      columns: { value: columns },
      write: {
        value: async (text: string | Uint8Array) => void pieces.push(app.secrets.redact(Buffer.from(text).toString())),
      },
    });
  const stdin = { ...app.stdin, isTerminal: false };
  const world: App = Object.create(app, {
    stdin: { value: stdin },
    stdout: { value: output(true) },
    stderr: { value: output(false) },
  });
  await perform(argv, world);
  return pieces.join("").trimEnd().split("\n");
}
