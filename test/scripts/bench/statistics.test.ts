import { costRatio, median, secondsEach, speedRatio } from "../../../scripts/bench/statistics.js";

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
