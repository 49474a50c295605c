import type { Readable, Writable } from "node:stream";
import type { JobControl } from "../streams.ts";

/** What a question is asked with. */
interface Asking {
  input: Readable & { isRaw?: boolean; setRawMode?(isRaw: boolean): unknown };
  output: Writable;
  jobs?: JobControl;
}

const CURSOR_SHOWN = "\u001b[?25h";
/** Matches how a picture of a question begins if it replaces another. */
const OVER_ANOTHER = /^(?:\u001b\[\d+B)?(?:\u001b\[2K\u001b\[1A)*\u001b\[2K\u001b\[G/;
/** Matches a movement of the cursor within the picture. */
const MOVE = /^\u001b\[\d+G$/;
/** Matches how a picture with lines below the cursor ends. */
const LINES_BELOW = /\u001b\[(\d+)A(?:\u001b\[\d+G)+$/;

/**
 * Lets Ctrl-Z stop the process at a question, and draws the question again when it continues. readline would do so too,
 * but pauses its input for good.
 * @returns a function that ends this
 */
export function makeStoppable({ input, output, jobs }: Asking): () => void {
  if (!jobs) return () => {};
  const { emit } = input;
  const { write } = output;
  let picture = "";
  let wasRaw = false;
  input.emit = (event: string, ...values: unknown[]) => {
    if (event !== "keypress" || !isCtrlZ(values[1])) return emit.call(input, event, ...values);
    jobs.stop();
    return true;
  };
  output.write = (...written: unknown[]) => {
    const text = String(written[0]);
    picture = MOVE.test(text) ? picture + text : text.replace(OVER_ANOTHER, "");
    return Reflect.apply(write, output, written);
  };
  const remove = jobs.add({
    leave() {
      const [, below] = LINES_BELOW.exec(picture) ?? [];
      Reflect.apply(write, output, [`${below === undefined ? "" : `\u001b[${below}B`}${CURSOR_SHOWN}`]);
      wasRaw = input.isRaw === true;
      if (wasRaw) input.setRawMode?.(false);
    },
    resume() {
      if (wasRaw) input.setRawMode?.(true);
      Reflect.apply(write, output, [picture]);
    },
  });
  return () => {
    remove();
    input.emit = emit;
    output.write = write;
  };
}

function isCtrlZ(key: unknown): boolean {
  return (
    typeof key === "object" && key !== null && "ctrl" in key && key.ctrl === true && "name" in key && key.name === "z"
  );
}
