import { allCommands } from "../../src/cli/all-commands.ts";
import { cli, SERVER, TOKEN } from "../helpers/cli.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";

const WITH_ARGUMENTS = (await allCommands()).flatMap(([path, { args = [] }]) =>
  args.map((_, empty) => ({ path, words: args.map((argument, index) => (index === empty ? "" : argument.name)) })),
);

/** Commands that report the empty name as unknown. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  ...{ "context use": 5, "context delete": 5, "label delete": 5 },
  validate: 13,
};

/** A variable that a script forgot to set, in quotes: it must not select the newest, the only, or every one. */
test.each(WITH_ARGUMENTS)("$path refuses an empty word in $words", async ({ path, words }) => {
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "journal" };
  const journal = memoryJournal();
  await cli("relayers pause eth-main-1", { env, journal });
  const ran = await cli([...path.split(" "), ...words], { env, journal });
  expect(ran).toMatchObject({ exitCode: EXIT_CODES[path] ?? 2, requests: [] });
  expect(ran.stderr).not.toContain("several IDs");
});
