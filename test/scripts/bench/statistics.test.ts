import { expect, test } from "vitest";
import { median, secondsEach, speedRatio, timeRatio } from "../../../scripts/bench/statistics.js";

function run(walls: readonly number[], items: number, failure?: string) {
  return { times: walls.map((wall) => ({ wall })), items, failure };
}

test("the median is the middle value, or the mean of the two middle values", () => {
  expect(median([5, 1, 100])).toBe(5);
  expect(median([4, 1, 100, 2])).toBe(3);
  expect(median([7])).toBe(7);
});

test("the seconds per item are the median of the rounds divided by the number of items", () => {
  expect(secondsEach(run([8, 2, 4], 100))).toBe(0.04);
});

test("ratios compare the time per item of runs of any size", () => {
  const [thousands, hundreds] = [run([2], 10_000), run([10], 2_000)];
  expect(timeRatio(hundreds, thousands)).toEqual({ value: 25 });
  expect(speedRatio(thousands, hundreds)).toEqual({ value: 25 });
});

test("a ratio with a failed run contains the reason", () => {
  const [worked, failed] = [run([1], 1), run([], 1, "jq is not there")];
  expect(timeRatio(worked, failed)).toEqual({ failure: "jq is not there" });
  expect(speedRatio(failed, worked)).toEqual({ failure: "jq is not there" });
});
