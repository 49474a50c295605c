import { expect, test } from "vitest";
import { BIN } from "../../e2e/relayctl.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { fuzz } from "../fuzz/fuzz.ts";

const SECONDS = DEEP ? 300 : 3;

test(`${SECONDS} seconds of random words, files, variables and replies: no crash, no trace, no warning, no secret`, async () => {
  const seed = DEEP ? Date.now() % 1_000_000_000 : 1;
  const { runs, findings } = await fuzz({ program: BIN, seed, seconds: SECONDS });
  figure("random runs of the built program", runs);
  figure("crashes, stack traces, warnings, unknown exit codes in them", findings.length);
  expect(findings).toEqual([]);
  expect(runs).toBeGreaterThan(0);
}, 600_000);
