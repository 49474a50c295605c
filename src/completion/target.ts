import type { TypedLine } from "./typed-line.ts";

/** The flags that select target and identity: completion asks the same service as the line itself. */
const TARGET_FLAGS = ["--context", "--server", "--token-file", "--demo", "--ca-file", "--proxy", "--allow-http"];

/** Returns the target flags of a line, each as one word: `--context=prod`. */
export function targetFlagsOf({ flags }: TypedLine): string[] {
  return flags.flatMap(({ flag, value }) => {
    const name = flag.names.find((name) => TARGET_FLAGS.includes(name));
    if (name === undefined) return [];
    return [value === undefined ? name : `${name}=${value}`];
  });
}
