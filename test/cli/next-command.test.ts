import { nextCommandLines } from "../../src/cli/next-command.ts";
import { bulkFailure } from "../../src/client/bulk/failure.ts";
import { RelayctlError } from "../../src/errors.ts";
import { paymentRunFailure } from "../../src/payments/failure.ts";
import type { Ended, Running } from "../../src/payments/run/running.ts";
import { waitCutOffError } from "../../src/views/transaction/ending.ts";

const interrupt = AbortSignal.abort();

/** A run of one payment, which was accepted and is awaited. */
const RUN = {
  world: { interrupt, spelling: { resume: "--resume" } },
  plan: { wait: {}, pace: {} },
  resumeLine: "relayctl tx send-many base-hot -f payouts.csv --resume",
} as Running;
const ENDED: Ended = { outcomes: [{ row: 1, state: "sent" }], ends: new Map(), cutOff: undefined };

test.each([
  ["a bulk run is continued by its command", bulkFailure([{ id: "r1" }], "relayers", interrupt), true],
  [
    "payments without their journal would be paid again",
    paymentRunFailure(RUN, { isLost: true } as never, ENDED),
    false,
  ],
  [
    "a send whose wait is over would be sent again",
    waitCutOffError(new RelayctlError("interrupted", "x"), [], { wrote: true, flags: [] }),
    false,
  ],
])("%s after Ctrl-C", (_, error, isContinued) => {
  expect(error).toBeInstanceOf(RelayctlError);
  const lines = nextCommandLines(error as RelayctlError, ["tx", "send", "r1"], "sh");
  expect(lines).toEqual(isContinued ? [{ continue: "relayctl tx send r1" }] : []);
});
