import { createObservedWrites } from "../../src/cli/observed-writes.ts";
import { type Failure, RelayctlError } from "../../src/errors.ts";

const PATH = "/api/v1/relayers/hot";

/** Ends a command with an error after the service accepted a write. */
function endedAfterWrite(error: RelayctlError): unknown {
  const observed = createObservedWrites({ sends: "patch" }, {});
  const request = { method: "PATCH", target: PATH, attempt: 1, writes: true } as const;
  observed.hear({ type: "attempt", ...request } as never, () => undefined);
  observed.hear({ type: "accepted", id: "hot", status: 200, method: "PATCH", path: PATH } as never, () => undefined);
  return observed.withOutcome(error);
}

const REFUSALS: Failure[] = [
  "usage",
  "declined",
  "auth",
  "not_found",
  "conflict",
  "rejected",
  "rate_limited",
  "server",
];

test.each(REFUSALS)("after an accepted write, %s is not the end of the command", (failure) => {
  const ended = endedAfterWrite(
    new RelayctlError(failure, "no; nothing was sent", { because: ["nothing was applied"] }),
  );
  expect(ended).toMatchObject({
    exitCode: 12,
    applied: "yes",
    message: "no",
    because: [expect.stringContaining("hot")],
  });
});

test("after an accepted write, a signal keeps its exit code, without saying that nothing was changed", () => {
  const ended = endedAfterWrite(new RelayctlError("interrupted", "interrupted; nothing was changed"));
  expect(ended).toMatchObject({ exitCode: 130, applied: "yes", message: "interrupted" });
});

test.each([
  ["nothing was sent; resume the relayer first", "resume the relayer first"],
  ["nothing was sent: a new payment would wait", "a new payment would wait"],
  ["nothing was changed in relayers.json", "nothing was changed in relayers.json"],
])("after an accepted write, a reason keeps what is true: %s", (line, rest) => {
  const ended = endedAfterWrite(new RelayctlError("conflict", "paused", { because: [line] }));
  expect((ended as RelayctlError).because[0]).toBe(rest);
});

test("a write that was undone keeps the exit code of what failed", () => {
  const error = new RelayctlError("rejected", "insufficient balance", { leavesNothing: true });
  expect(endedAfterWrite(error)).toBe(error);
});
