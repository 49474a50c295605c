import type { Transaction } from "../../../../src/contract/transaction/transaction.ts";
import { outcomeStatusCell, transactionOutcome } from "../../../../src/views/transaction/outcome.ts";
import { MAY_BE_MINED } from "../../../helpers/receipts.ts";
import { evmRecord, NOOP } from "../wire.ts";

const read = (fields: object) => outcomeStatusCell(evmRecord(fields) as Transaction);

describe("the outcome of a record depends on more than its status", () => {
  test.each<[string, object, string]>([
    [
      "a replacement that lost the race",
      {
        status: "failed",
        status_reason: "Nonce 0 consumed externally (on-chain nonce: 4). No matching transaction hash found on-chain.",
      },
      "failed · an earlier version may have been mined: check before you send again",
    ],
    [
      "a reverted transaction",
      { status: "failed", status_reason: "Transaction reverted on-chain (receipt status: failed)" },
      "failed · mined and reverted: the nonce and the fee are spent",
    ],
    ["any other failure", { status: "failed", status_reason: "Queue unavailable" }, "failed"],
    [
      "a cancellation that lost the race",
      { status: "confirmed", is_canceled: true, ...NOOP },
      "confirmed · too late to cancel: the original was mined",
    ],
    ["a cancellation that won", { status: "canceled", is_canceled: true, ...NOOP }, "canceled"],
    [
      "a cancellation in progress",
      { status: "submitted", is_canceled: true, ...NOOP },
      `submitted · cancellation requested: ${MAY_BE_MINED}`,
    ],
    [
      "a cancellation with an unknown winner",
      { status: "mined", is_canceled: true, ...NOOP },
      "mined · either the cancellation or the original was mined: the final status, canceled or confirmed, will show which",
    ],
    [
      "a transfer that was replaced after its cancellation",
      { status: "submitted", is_canceled: true },
      "submitted · shows the transfer again after its cancellation was requested: the transfer is live and can be canceled again",
    ],
    [
      "the same transfer, mined",
      { status: "confirmed", is_canceled: true },
      "confirmed · shows the transfer again after its cancellation was requested: check the chain to see which version was mined",
    ],
    [
      "a cancellation by a service without is_canceled",
      { status: "confirmed", is_canceled: null, ...NOOP },
      "confirmed · as a no-op, which does not prove a cancellation: compare the hash",
    ],
    [
      "an expired transaction",
      { status: "confirmed", status_reason: "Transaction is expired. Replacing with NOOP.", ...NOOP },
      "confirmed · as a no-op that replaced it",
    ],
    [
      "an expired transaction of a service without is_canceled",
      {
        status: "confirmed",
        is_canceled: null,
        status_reason: "Transaction is expired. Replacing with NOOP.",
        ...NOOP,
      },
      "confirmed · as a no-op that replaced it",
    ],
    [
      "a no-op recognized only by its reason",
      { status: "confirmed", status_reason: "Gap-filling NOOP for nonce 4" },
      "confirmed · as a no-op that replaced it",
    ],
    [
      "a no-op recognized only by its fields",
      { status: "confirmed", ...NOOP },
      "confirmed · as a no-op that replaced it",
    ],
    [
      "a no-op in progress",
      { status: "sent", status_reason: "Gap-filling NOOP for nonce 4", ...NOOP },
      "sent · a no-op: it only uses up its nonce",
    ],
    [
      "an alarming reason that does not matter",
      { status: "confirmed", status_reason: "Nonce error during submission: NonceTooLow" },
      "confirmed · mined and final: the reason is from an earlier attempt",
    ],
    ["an ordinary confirmation", { status: "confirmed" }, "confirmed"],
    [
      "a transfer of nothing to itself with data, which is not a no-op",
      { status: "confirmed", ...NOOP, data: "0x00" },
      "confirmed",
    ],
    ["an unknown status", { status: "resting" }, "resting"],
  ])("%s", (_, fields, text) => expect(read(fields).text).toBe(text));

  test("shows alarming outcomes as bad, and final good outcomes as good", () => {
    expect(read({ status: "confirmed", is_canceled: true, ...NOOP }).tone).toBe("bad");
    expect(read({ status: "confirmed", status_reason: "Nonce error during submission: NonceTooLow" }).tone).toBe(
      "good",
    );
    expect(read({ status: "submitted" }).tone).toBeUndefined();
  });

  test.each([
    { status: 5 },
    { status: "confirmed", status_reason: [1], from: {}, to: 7, value: "x" },
    { status: "failed", status_reason: null, nonce: null },
  ])("accepts fields of any type: %o", (fields) => {
    expect(() => transactionOutcome(evmRecord(fields) as unknown as Transaction)).not.toThrow();
  });
});
