import { visible } from "../../escape.ts";

/** What was typed came to an answer, or is asked again, with a reason. */
export type Read<T> = { answer: T } | { again: string };

/** Somebody to ask in lines. */
export interface Asker {
  /** Gives the line that was typed after the question. */
  ask(question: string): Promise<string>;
  say(line: string): void;
}

/** Asks until what is typed can be read. Ctrl-C and the end of the input reject, and so end it. */
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
