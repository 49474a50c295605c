import fc from "fast-check";
import { parseArgv } from "../../../src/cli/parse.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { runs } from "../../helpers/deep.ts";
import { CANARY_TOKEN, secretsIn } from "../../helpers/scan.ts";
import { randomArgv } from "./random-argv.ts";

const RUNS = runs(10, 4_000);

/** What becomes of a command line: what it asks for, or the error. */
async function read(argv: readonly string[]): Promise<unknown> {
  return await parseArgv(argv).catch((error: unknown) => error);
}

test("any command line returns a command, a text, or a usage error", () =>
  fc.assert(
    fc.asyncProperty(randomArgv, async (argv) => {
      const outcome = await read(argv);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(RelayctlError);
      if (outcome instanceof RelayctlError) expect(outcome.exitCode).toBe(2);
      else expect(["command", "text"]).toContain((outcome as { kind: string }).kind);
    }),
    RUNS,
  ));

test("the value of an unknown flag is in no error", async () => {
  const flag = fc.stringMatching(/^--?[a-zA-Z_.-]{1,12}$/);
  await fc.assert(
    fc.asyncProperty(randomArgv, flag, fc.nat(8), async (argv, name, at) => {
      const words = argv.toSpliced(at % (argv.length + 1), 0, `${name}=${CANARY_TOKEN}`);
      const outcome = await read(words);
      if (outcome instanceof RelayctlError && /unknown option/.test(outcome.message))
        expect(secretsIn([outcome.message, ...outcome.because, outcome.hint].join("\n"))).toEqual([]);
    }),
    RUNS,
  );
});
