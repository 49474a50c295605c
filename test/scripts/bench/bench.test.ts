import { costRatio, median, secondsEach, speedRatio } from "../../../scripts/bench/statistics.js";
import { budgetTable, runTable } from "../../../scripts/bench/tables.js";
import { variedPage, variedRelayer } from "../../../scripts/bench/varied-fleet.js";
import { parseJson, writeJson } from "../../../src/contract/json.ts";
import { relayerShape } from "../../../src/contract/resources/relayer.ts";

function run(seconds: readonly number[], items = 1, load = 0) {
  return { times: seconds.map((cpu) => ({ cpu, wall: 10 * cpu })), items, load };
}
const failed = { times: [], items: 1, failure: "jq is not there" };

test("the median is the middle value, or the mean of the two middle values", () => {
  expect(median([5, 1, 100])).toBe(5);
  expect(median([4, 1, 100, 2])).toBe(3);
  expect(median([7])).toBe(7);
});

test("the seconds per item are the median of the rounds divided by the number of items", () =>
  expect(secondsEach(run([8, 2, 4], 100))).toBe(0.4));

test("ratios compare the CPU per item of runs of any size", () => {
  const [thousands, hundreds] = [run([2], 10_000), run([10], 2_000)];
  expect(costRatio(hundreds, thousands)).toMatchObject({ value: 25 });
  expect(speedRatio(thousands, hundreds)).toMatchObject({ value: 25 });
});

test("a machine that slows down for some rounds does not change a ratio, since each round has a separate one", () => {
  expect(costRatio(run([2, 20, 60, 6]), run([1, 10, 30, 3]))).toMatchObject({ value: 2 });
  expect(costRatio(run([2, 2, 90]), run([1, 1, 1]))).toMatchObject({ value: 2 });
});

test("a ratio compares wall times on request, and contains the higher load of both runs", () => {
  const other = { times: [{ cpu: 1, wall: 4 }], items: 1, load: 3.5 };
  expect(costRatio(run([1], 1, 0.2), other, "wall")).toEqual({ value: 2.5, load: 3.5 });
});

test("a ratio with a failed run contains the reason", () => {
  expect(costRatio(run([1]), failed)).toEqual({ failure: "jq is not there" });
  expect(speedRatio(failed, run([1]))).toEqual({ failure: "jq is not there" });
});

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

describe("the varied fleet", () => {
  const TEXT = /("(?:[^"\\]|\\.)*":)|"(?:[^"\\]|\\.)*"|-?[0-9][0-9.]*|true|false/g;
  const items = Array.from({ length: 40_000 }, (_, index) => variedRelayer(index + 1));

  test("has at least 800 shapes of relayers, of about the size of the uniform fleet", () => {
    const shapes = new Set(items.map((item) => item.replaceAll(TEXT, (value, name) => name ?? value[0] === '"')));
    expect(shapes.size).toBeGreaterThanOrEqual(800);
    const bytes = Buffer.byteLength(items.join(""));
    expect(bytes / items.length).toBeGreaterThan(325);
    expect(bytes / items.length).toBeLessThan(355);
  });

  test("every fifth relayer has RPC URLs, and every twentieth a name beyond ASCII, in one of five scripts", () => {
    const share = (pattern: RegExp) => items.filter((item) => pattern.test(item)).length / items.length;
    expect(share(/"custom_rpc_urls"/)).toBeCloseTo(0.2, 2);
    expect(share(/\P{ASCII}/u)).toBeCloseTo(0.05, 2);
    for (const script of ["Cyrillic", "Greek", "Han", "Arabic", "Devanagari"])
      expect(share(new RegExp(`\\p{Script=${script}}`, "u")), script).toBeGreaterThan(0.005);
  });

  test("relayers have the shape of the service's, and amounts that a double would round", () => {
    const some = items.slice(0, 200);
    const read = some.map((item) => parseJson(item));
    expect(read.map((relayer) => relayerShape(relayer)).filter(Boolean)).toEqual([]);
    expect(read.map((relayer) => writeJson(relayer))).toEqual(some);
    expect(some.filter((item) => JSON.stringify(JSON.parse(item)) !== item).length).toBeGreaterThan(100);
  });

  test("pages have no gaps and end with a short page", () => {
    const pages = [1, 2, 3, 4].map((page) => JSON.parse(variedPage(25, page, 10)));
    expect(pages.flatMap(({ data }) => data)).toEqual(items.slice(0, 25).map((item) => JSON.parse(item)));
    expect(pages.at(-1).pagination).toEqual({ current_page: 4, per_page: 10, total_items: 25 });
  });
});
