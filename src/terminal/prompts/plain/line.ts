import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { visible } from "../../escape.ts";
import { type PromptContext, type PromptStreams, promptAborted, settled, stopped } from "../settled.ts";

/** Writes a question and reads the next line. The terminal itself echoes and edits it. */
export function askLine(streams: PromptStreams, question: string): Promise<string> {
  return settled(streams, (context) =>
    lineAfter(question, context, createInterface({ input: context.input, terminal: false })),
  );
}

/** Writes a question and reads the next line without showing any of it, not even its length. */
export function askHiddenLine(streams: PromptStreams, question: string): Promise<string> {
  return settled(streams, async (context) => {
    const unseen = createInterface({ input: context.input, output: NOWHERE, terminal: true });
    const answer = await lineAfter(question, context, unseen);
    context.output.write("\n");
    return answer;
  });
}

const NOWHERE = new Writable({ write: (_chunk, _encoding, done) => done() });

/** @param lines open before the question is shown: from then on a terminal must not echo hidden input */
function lineAfter(
  question: string,
  { output, signal }: PromptContext,
  lines: ReturnType<typeof createInterface>,
): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    lines.once("SIGINT", () => reject(stopped()));
    signal.addEventListener("abort", () => reject(promptAborted()));
    if (signal.aborted) reject(promptAborted());
    else output.write(`${question} `);
  }).finally(() => lines.close());
}

/** The parsed input, or the reason to repeat the prompt. */
export type Read<T> = { answer: T } | { again: string };

/** Prompts in plain lines. */
export interface Asker {
  /** Returns the line typed after the question. */
  ask(question: string): Promise<string>;
  say(line: string): void;
}

/** Repeats a prompt until the input is valid. Ctrl-C and the end of the input reject and so end it. */
export async function untilValid<T>(
  { ask, say }: Asker,
  question: string,
  read: (typed: string) => Read<T> | Promise<Read<T>>,
): Promise<T> {
  for (;;) {
    const result = await read(await ask(question));
    if ("answer" in result) return result.answer;
    say(`  ${visible(result.again)}`);
  }
}
