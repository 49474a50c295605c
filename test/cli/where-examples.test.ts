import { cli } from "../helpers/cli.ts";

/** The commands whose help shows conditions for `--where`. */
const COMMANDS = [
  "relayers list",
  "networks list",
  "notifications list",
  "plugins list",
  "signers list",
  "tx list eth-main-1",
];

test.each(COMMANDS)("each condition in the help of %s is one that it accepts", async (line) => {
  const { stdout } = await cli(`${line.split(" ").slice(0, 2).join(" ")} --help`);
  const [, text = ""] =
    /--where CONDITION +(?:[^(]*?)e\.g\. ([^(]*)\(repeatable/.exec(stdout.replaceAll(/\s+/g, " ")) ?? [];
  const conditions = text.trim().split(/, | (?=!)/);
  expect(conditions.length).toBeGreaterThan(0);
  for (const condition of conditions) {
    const { exitCode, stderr } = await cli([...line.split(" "), "--demo", "--where", condition, "-o", "json"]);
    expect([condition, exitCode, stderr.includes("error")]).toEqual([condition, 0, false]);
  }
});
