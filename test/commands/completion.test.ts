import { SETUPS } from "../../src/completion/scripts.ts";
import { SHELLS } from "../../src/completion/shells.ts";
import { cli } from "../helpers/cli.ts";

test.each(SHELLS)("completion %s prints the script, and its help the line to add", async (shell) => {
  expect(await cli(`completion ${shell}`)).toMatchObject({
    exitCode: 0,
    stdout: SETUPS[shell].script,
    stderr: "",
    requests: [],
  });
  const help = (await cli("completion --help")).stdout;
  expect(help).toContain(`\n    ${SETUPS[shell].line}\n`);
  expect(help).toContain(SETUPS[shell].where);
});

test.each([
  ["completion tcsh", "<shell> tcsh: one of bash, zsh, fish, powershell"],
  ["completion zhs", "<shell> zhs: one of bash, zsh, fish, powershell (did you mean zsh?)"],
])("%s: the error lists the known shells", async (line, message) =>
  expect(await cli(line)).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: `error: ${message}\n  hint: relayctl completion --help\n`,
  }),
);

test("a shell is required", async () => expect((await cli("completion")).exitCode).toBe(2));
