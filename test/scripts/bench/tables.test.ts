import { budgetTable, runTable } from "../../../scripts/bench/tables.js";

test("a budget row contains the budget, the measured value, and the verdict", () => {
  const rows = [
    { what: "`--version` / `node -e 0`", atMost: 1.3, reach: 1.1, value: 1.104 },
    { what: "items/s / the SDK script", atLeast: 2, reach: 4, value: 4 },
    { what: "the same / `curl | jq`", atLeast: 2, reach: 4, value: 1.949 },
    { what: "peak memory", unit: "MB", atMost: 140, reach: 80, value: 117.34 },
    { what: "requests", unit: "requests", atMost: 1002, reach: 1001, value: 1000 },
    { what: "install time", atMost: 1.5, value: 0.9, load: 1.5 },
    { what: "on a busy machine", atMost: 1.5, value: 0.9, load: 1.6 },
    { what: "without a budget", value: 3.257, load: 9 },
    { what: "completion", atMost: 1.6, reach: 1.3, failure: "ended with 2: error: no\n  hint: help" },
  ];
  expect(budgetTable(rows).split("\n")).toEqual([
    "| What | Must | Reach | Measured | Verdict |",
    "| --- | --- | --- | --- | --- |",
    "| `--version` / `node -e 0` | ≤ 1.3 | 1.1 | 1.10 | met |",
    "| items/s / the SDK script | ≥ 2 | 4 | 4.00 | met, and the reach |",
    "| the same / `curl \\| jq` | ≥ 2 | 4 | 1.95 | **missed** |",
    "| peak memory | ≤ 140 MB | 80 MB | 117.3 MB | met |",
    "| requests | ≤ 1002 requests | 1001 requests | 1,000 requests | met, and the reach |",
    "| install time | ≤ 1.5 |  | 0.90 | met |",
    "| on a busy machine | ≤ 1.5 |  | 0.90 | not judged: load 1.6 |",
    "| without a budget |  |  | 3.26 |  |",
    "| completion | ≤ 1.6 | 1.3 |  | not measured: ended with 2: error: no |",
  ]);
});

test("a run row contains the rounds and medians, or why it was not run", () => {
  const times = [
    { wall: 0.05, cpu: 0.03 },
    { wall: 1.25, cpu: 1 },
    { wall: 2, cpu: 3 },
  ];
  const runs = [
    { line: "curl -s | jq", times },
    { line: "node -e 0", times: times.slice(0, 1) },
    { line: "gh --version", times: [], failure: "gh is not there" },
  ];
  expect(runTable(runs).split("\n").slice(2)).toEqual([
    "| `curl -s \\| jq` | 3 | 1.25 s | 1.00 s |",
    "| `node -e 0` | 1 | 50.0 ms | 30.0 ms |",
    "| `gh --version` | gh is not there |  |  |",
  ]);
});
