import { cli } from "../helpers/cli.ts";
import { relayctl } from "./relayctl.ts";

// The commands of the package have no texts of help: the words that the build wrote down have them.
test.each([
  { argv: ["help", "--json"], env: {} },
  { argv: ["doctor", "--help"], env: { GITHUB_ACTIONS: "true" } },
  { argv: ["tx", "send", "-o", "json", "--help"], env: {} },
  { argv: ["help", "relayers", "update"], env: { GITHUB_ACTIONS: "true" } },
])("$argv says the same in the package as in the sources", async ({ argv, env }) => {
  const packaged = await relayctl(argv, { env });
  const { stdout, exitCode } = await cli(argv, { env });
  expect([packaged.exitCode, packaged.stdout]).toEqual([exitCode, stdout]);
  expect(packaged.stdout).toMatch(/Send a transaction|Check the service|Select matching relayers/);
});
