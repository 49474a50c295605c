import { allCommands } from "../../src/cli/all-commands.ts";
import { argvsUnder } from "../helpers/shell.ts";

export interface Typed {
  argv: readonly string[];
  /** The file that a shell would give it on stdin. */
  input: string | undefined;
}

const EXAMPLES = [...new Set((await allCommands()).flatMap(([, { examples }]) => examples))].map((example) => {
  const [line = ""] = example.split(" | ");
  const [command = "", input] = line.split(" < ");
  return { example, command, input };
});
// A shell for each example would take most of the time of these tests.
const ARGVS = argvsUnder("/bin/sh", "relayctl", EXAMPLES.map(({ command }) => command).join("\n"));
if (ARGVS.length !== EXAMPLES.length) throw new Error(`${EXAMPLES.length} examples run ${ARGVS.length} programs`);
const TYPED = new Map(EXAMPLES.map(({ example, input }, index) => [example, { argv: ARGVS[index] ?? [], input }]));

/** Returns an example of a command as `/bin/sh` reads it. */
export function typed(example: string): Typed {
  const found = TYPED.get(example);
  if (!found) throw new Error(`no command has the example ${example}`);
  return found;
}
