import { visible } from "../../escape.ts";

/** The parsed input, or the reason to repeat the prompt. */
export type Read<T> = { answer: T } | { again: string };

/** Prompts in plain lines. */
export interface Asker {
  /** Returns the line typed after the question. */
  ask(question: string): Promise<string>;
  say(line: string): void;
}

/** Repeats a prompt until the input is valid. Ctrl-C and the end of the input reject and so end it. */
export async function untilRight<T>(
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
