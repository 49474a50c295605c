import { parseArgv } from "../../src/cli/parse.ts";
import { GUIDES, splitStep, stepsOf } from "../e2e/guide.ts";
import { exits, words } from "../helpers/cli.ts";

const LINES = GUIDES.flatMap((path) =>
  stepsOf(path).flatMap((step) => splitStep(step).plain.map((line) => [path, line])),
);

// All other commands of the documents run as processes: test/readme.test.ts.
test.for(LINES)("%s: %s", async ([, line = ""]) => {
  await exits(0, line.replace(/^relayctl /, ""));
});

test("most lines that only read run without a process", () => expect(LINES.length).toBeGreaterThan(40));

/** The lines of a document that run as processes, without what a shell makes of them and without those that show a mistake. */
function otherLines(path: string): readonly string[] {
  const steps = stepsOf(path).filter(({ shown }) => !shown?.startsWith("error"));
  const rest = steps.map((step) =>
    splitStep(step)
      .rest.replaceAll(/ \\\n */g, " ")
      .replaceAll(/\$\([^)]*\)/g, "x"),
  );
  const lines = rest.join("\n").match(/(?<=^|[|&;] ?)relayctl [^\n|<>&;)#]*/gm) ?? [];
  return lines.filter((line) => !/ --help|^relayctl help/.test(line));
}

test.each(GUIDES)("%s: every other command parses", async (path) => {
  for (const line of otherLines(path))
    expect(await parseArgv(words(line).slice(1)), line).toMatchObject({ kind: "command", problems: [] });
});
