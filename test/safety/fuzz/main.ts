import { join } from "node:path";
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string" }, runs: { type: "string" } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const seconds = Number(values.seconds);
const program = [process.execPath, join(process.cwd(), "bin/relayctl.js")] as const;

const { runs, exits, findings } = await fuzz({
  program,
  seed,
  seconds,
  ...(values.runs && { runs: Number(values.runs) }),
});

const count = (pattern: RegExp) => findings.filter(({ faults }) => faults.some((fault) => pattern.test(fault))).length;
const lines = [
  `seed ${seed}, ${runs} runs`,
  `exit codes: ${[...exits]
    .sort()
    .map(([code, times]) => `${code} × ${times}`)
    .join(", ")}`,
  `crashes ${count(/tells of a bug|ended by/)}`,
  `stack traces ${count(/stack trace/)}`,
  `warnings of Node's ${count(/warning/)}`,
  `exit codes that are not documented ${count(/not documented/)}`,
  `secrets printed ${count(/holds the/)}`,
  `characters that act on a terminal ${count(/holds U\+/)}`,
  ...findings.map(
    ({ seed: own, args, faults }) => `seed ${own}: ${faults.join("; ")}: relayctl ${JSON.stringify(args)}`,
  ),
];
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
