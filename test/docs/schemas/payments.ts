import { ROW_STATES } from "../../../src/payments/outcome.ts";
import { closed, count, digits, flag, orNull, text, word } from "./schema.ts";

/** What `tx send-many -o json` prints of each row. */
export const PAYMENT = closed("What became of one payment of a file.", {
  row: count("The row of the file, from 1, without the header."),
  label: orNull(text("The label of the row in the file; null if it has none.")),
  to: text("The receiver."),
  value: digits("The amount in the smallest unit."),
  state: word(
    "What became of it: nothing was sent (waiting), accepted by the service (sent), unknown since its response was lost and its transaction was not found, not accepted (refused), or with --wait confirmed, failed, or canceled.",
    ROW_STATES,
  ),
  transaction_id: orNull(text("The ID of its transaction; null if none is known.")),
  hash: orNull(text("The hash of the transaction that the chain has; null if it is not known.")),
  block: orNull(count("The block of the transaction; null if it is not known.")),
  fee_paid: orNull(digits("The fee in the smallest unit; null if it is not known.")),
  verdict: orNull(text("What record and chain show together, as in tx wait; null if that was not checked.")),
  why: orNull(text("Why it is in this state; null if there is nothing to explain.")),
  by_record: orNull(
    flag("Whether only the record shows it, since the chain could not be asked; null if that was not checked."),
  ),
});

/** What `topup -o json` prints of each address. */
export const TOP_UP = closed("What became of one address of a top-up.", {
  target: text("The ID of the relayer, or the label with its @."),
  address: text("Its address, in lowercase."),
  balance: digits("What the chain shows, in the smallest unit."),
  pending: digits("What was sent to it and the chain does not show yet, in the smallest unit; it counts as received."),
  amount: digits("What it is topped up with, in the smallest unit; 0 if its balance is not low, or if it was skipped."),
  after: digits("Its balance with what is pending and the amount."),
  state: word(
    "What became of it: not low (enough), filled by somebody else in the meantime (skipped), not sent (waiting), accepted by the service (sent), unknown since the response was lost and its transaction was not found, or not accepted (refused).",
    ["enough", "skipped", ...ROW_STATES],
  ),
  transaction_id: orNull(text("The ID of its transaction; null if none is known.")),
  hash: orNull(text("The hash of the transaction that the chain has; null if it is not known.")),
  why: orNull(text("Why it is in this state; null if there is nothing to explain.")),
});

/** What `relayers guard -o ndjson` prints. */
export const GUARD_EVENT = closed("Something that a guard did or found.", {
  time: text("When it happened, in ISO 8601."),
  context: text("The name of the context, or the origin of the service."),
  event: word(
    "A relayer is guarded from now on (guarding); it was paused; it could not be paused, and is tried again (not_paused); its measurement was refused, or has failed for minutes (unread); it is measured again (read).",
    ["guarding", "paused", "not_paused", "unread", "read"],
  ),
  relayer: text("The ID of the relayer."),
  condition: orNull(text("The condition that it meets, with the measured value; null for the other events.")),
  pending: orNull(count("How many of its transactions can still be mined; null if that is not known.")),
});
