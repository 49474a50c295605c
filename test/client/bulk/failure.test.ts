import { bulkFailure } from "../../../src/client/bulk/failure.ts";
import type { Completed } from "../../../src/client/bulk/run-all.ts";
import { RelayctlError } from "../../../src/errors.ts";

const signal = new AbortController().signal;
const ok = (id: string): Completed<number> => ({ id, value: 1 });
const bad = (
  id: string,
  failure: "conflict" | "rejected" | "unknown" | "server" | "interrupted" | "rate_limited",
): Completed<number> => ({
  id,
  error: new RelayctlError(failure, "it says no", { because: ["for a reason"] }),
});

test("is undefined if all succeeded", () => {
  expect(bulkFailure([ok("a"), ok("b")], "relayers", signal)).toBeUndefined();
  expect(bulkFailure([], "relayers", signal)).toBeUndefined();
});

test("is partial and applied if some failed, with the code of each failure", () =>
  expect(bulkFailure([ok("a"), bad("b", "conflict"), bad("c", "rejected")], "relayers", signal)).toMatchObject({
    failure: "partial",
    exitCode: 12,
    applied: "yes",
    message: "2 of 3 relayers failed",
    details: [
      { where: "b", given: "conflict", rule: "it says no; for a reason" },
      { where: "c", given: "rejected", rule: "it says no; for a reason" },
    ],
    because: [],
  }));

test("explains a single failure, since a single problem is not listed", () =>
  expect(bulkFailure([ok("a"), bad("b", "conflict")], "relayers", signal)?.because).toEqual([
    "b: it says no; for a reason",
  ]));

test("is the common failure if all failed alike, and nothing was applied", () =>
  expect(bulkFailure([bad("a", "conflict"), bad("b", "conflict")], "relayers", signal)).toMatchObject({
    failure: "conflict",
    applied: "no",
  }));

test.each([
  [["rate_limited", "server"], "rate_limited"],
  [["rate_limited", "conflict", "rejected"], "conflict"],
  [["rate_limited", "unknown"], "partial"],
] as const)(
  "is what another attempt cannot fix, else the first, if all failed differently: %j",
  (failures, failure) => {
    const completed = failures.map((each, index) => bad(`r${index}`, each));
    expect(bulkFailure(completed, "relayers", signal)).toMatchObject({
      failure,
      retryable: failure === "rate_limited",
    });
    expect(bulkFailure([ok("r9"), ...completed], "relayers", signal)?.failure).toBe("partial");
  },
);

test("does not count values that were already set as applied", () => {
  const already: Completed<number> = { id: "a", value: 1, already: true };
  expect(bulkFailure([already], "relayers", signal)).toBeUndefined();
  expect(bulkFailure([already, bad("b", "rejected")], "relayers", signal)).toMatchObject({
    failure: "rejected",
    applied: "no",
    message: "1 of 2 relayers failed",
  });
  expect(bulkFailure([already, ok("b"), bad("c", "rejected")], "relayers", signal)).toMatchObject({
    failure: "partial",
    applied: "yes",
  });
});

test("is the failure that ended the run if nothing was applied before", () =>
  expect(bulkFailure([bad("a", "server"), { id: "b" }], "relayers", signal)).toMatchObject({
    failure: "server",
    applied: "no",
    message: "1 of 2 relayers failed, 1 not started",
  }));

test("is unknown if one outcome is unknown", () =>
  expect(bulkFailure([ok("a"), bad("b", "unknown")], "relayers", signal)).toMatchObject({ applied: "unknown" }));

test("reports the number not started, and an interrupt as such", () => {
  const landed = [ok("a"), { id: "b" }, { id: "c" }];
  expect(bulkFailure(landed, "relayers", AbortSignal.abort())).toMatchObject({
    failure: "interrupted",
    applied: "yes",
    message: "interrupted: 1 of 3 relayers done, 2 not started",
  });
});

test("reports an interrupt with what was done, without the targets that needed no change", () => {
  const prepared = bad("d", "interrupted");
  const landed = [ok("a"), { ...ok("b"), already: true as const }, bad("c", "conflict"), prepared, { id: "e" }];
  const failure = bulkFailure(landed, "relayers", AbortSignal.abort(), { done: "paused" });
  expect(failure?.message).toBe("interrupted: 1 of 4 relayers paused, 1 failed, 2 not started");
  expect(failure?.details.map(({ where }) => where)).toEqual(["c", "d", "e"]);
  expect(failure?.summary).toEqual(["c conflict: it says no; for a reason"]);
});

test("groups the failures by their reason, and lists the first twenty IDs of each", () => {
  const disabled = Array.from({ length: 25 }, (_, index) => bad(`r${index}`, "conflict"));
  const named = disabled.slice(0, 20).map(({ id }) => id);
  const { summary } = bulkFailure([ok("a"), ...disabled, bad("x", "server"), { id: "y" }], "relayers", signal) ?? {};
  expect(summary).toEqual([
    `25 failed: it says no; for a reason: ${named.join(", ")}, and 5 more`,
    "x server: it says no; for a reason",
    "not started: y",
  ]);
});

test("is retryable if every failure is retryable", () => {
  expect(bulkFailure([ok("a"), bad("b", "server")], "relayers", signal)?.retryable).toBe(true);
  expect(bulkFailure([bad("a", "server"), bad("b", "rejected")], "relayers", signal)?.retryable).toBe(false);
});

test("has the hint of a failure that may have been applied, or else the first hint", () => {
  const hinting = (id: string, failure: "conflict" | "unknown", hint: string): Completed<number> => ({
    id,
    error: new RelayctlError(failure, "it says no", { hint, ...(failure === "unknown" && { applied: "unknown" }) }),
  });
  const hintOf = (...landed: Completed<number>[]) => bulkFailure(landed, "relayers", signal)?.hint;
  expect(hintOf(hinting("a", "conflict", "look at a"), hinting("b", "unknown", "look at b"))).toBe("look at b");
  expect(hintOf(bad("a", "conflict"), hinting("b", "conflict", "look at b"))).toBe("look at b");
  expect(hintOf(bad("a", "conflict"), ok("b"))).toBeUndefined();
});
