import { PROGRAM } from "../../e2e/program.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { fuzz } from "../fuzz/fuzz.ts";

/** As many as five minutes hold, from a seed that each finding names; or always the same ones. */
const EXTENT = DEEP ? { seed: Date.now() % 1_000_000_000, seconds: 300 } : { seed: 1, runs: 6 };

test("random words, files, variables, and responses cause no crash, trace, warning, or leaked secret", async () => {
  const { runs, findings } = await fuzz({ program: PROGRAM, ...EXTENT });
  figure("random runs of the built program", runs);
  figure("crashes, stack traces, warnings, unknown exit codes in them", findings.length);
  expect(findings).toEqual([]);
});
