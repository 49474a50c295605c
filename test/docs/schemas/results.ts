import { RELAYER, TRANSACTION, VERDICTS } from "./resources.ts";
import {
  anything,
  closed,
  count,
  digits,
  event,
  flag,
  list,
  type Members,
  mapOf,
  open,
  orNull,
  type Schema,
  SEVERITY,
  text,
  texts,
  time,
  word,
} from "./schema.ts";

const WATCHED = ["seen", "added", "changed", "removed"] as const;
const nonce = orNull(count("The nonce; null if it is not known, or if there is none."));
const wei = (description: string) => orNull(digits(`${description}, in wei; null if it is not known.`));

const STATUS_ROUTE = open("What the status route of the service returned", {
  network_type: orNull(text("The kind of the network.")),
  balance: {
    description:
      "The balance in the smallest unit: wei, lamports, or stroops; an integer of any size, or a string of one.",
    type: ["integer", "string", "null"],
  },
  pending_transactions_count: orNull(count("The number of pending transactions.")),
  last_confirmed_transaction_timestamp: orNull(text("When a transaction was last confirmed, in RFC 3339.")),
  system_disabled: orNull(flag("Whether the service disabled the relayer.")),
  paused: orNull(flag("Whether an operator paused the relayer.")),
  nonce: { description: "EVM: the next nonce on the chain.", type: ["integer", "string", "null"] },
  sequence_number: { description: "Stellar: the sequence number.", type: ["integer", "string", "null"] },
});

const STATUS_MEMBERS: Members = {
  relayer: RELAYER,
  status: orNull({
    ...STATUS_ROUTE,
    description: "What the status route of the service returned; null if it was not read.",
  }),
  health: closed("What the relayer's fields show.", {
    state: word("The state.", ["active", "paused", "disabled"]),
    reasons: texts("The types of the reasons why the service disabled the relayer."),
  }),
};

const ERC20: Members = {
  erc20: mapOf(
    "Balances of ERC-20 tokens in their smallest unit, by name; only if they are selected.",
    orNull(count("An integer of any size; null if it is not known, or if the token is on another network.")),
  ),
};

export const STATUS = closed("A relayer with its status and its health.", STATUS_MEMBERS, ERC20);
export const STATUS_EVENT = closed(
  "A change of a relayer's status while a command watches it, one per line.",
  { time: time("When the change was seen"), event: word("What happened.", WATCHED), ...STATUS_MEMBERS },
  ERC20,
);
export const RELAYER_EVENT = event("relayer", { ...RELAYER, description: "The relayer after the change." }, WATCHED);
export const TRANSACTION_EVENT = event(
  "transaction",
  { ...TRANSACTION, description: "The transaction after the change." },
  WATCHED,
);

export const BALANCE = open(
  "The balance of a relayer's address, as the node reports it now.",
  {
    relayer_id: text("The ID of the relayer; absent if only one relayer was specified."),
    balance: {
      description: "The balance in the unit; an integer of any size, or a string of one.",
      type: ["integer", "string"],
    },
    unit: orNull(text("The smallest unit of the coin: wei, lamport, or stroop.")),
  },
  ["balance"],
);

export const FROZEN_RELAYER: Schema = {
  ...RELAYER,
  description: "A relayer after a freeze: the relayer as the service returns it, and what the freeze did.",
  properties: {
    ...RELAYER.properties,
    freeze: closed("What the freeze did.", {
      state: word("What happened to the pause.", ["paused", "already paused", "failed", "unknown", "not started"]),
      error: orNull(text("Why the relayer was not paused, or could not be read.")),
      canceled: texts("The IDs of the transactions that were canceled before they were broadcast."),
      cancellation_requested: texts(
        "The IDs of the transactions whose cancellation was accepted and can come too late.",
      ),
      cancellation_failed: texts("The IDs of the transactions whose cancellation failed."),
      can_still_be_mined: list(
        "The transactions that can still be mined, oldest first.",
        closed("A transaction that can still be mined.", {
          id: text("The ID."),
          status: text("The status."),
          nonce: anything("The nonce; null if there is none."),
          to: orNull(text("The address of the receiver before the cancellation; null if it is not known.")),
          value: anything("The value before the cancellation, in wei; null if it is not known."),
          hash: orNull(text("The hash; null if it is not known.")),
          because: text("Why it can still be mined."),
          until: orNull(time("When the service gives it up")),
        }),
      ),
    }),
  },
  required: ["id", "freeze"],
};

const STEP = closed("A step that helps.", {
  action: text("What the step does, e.g. bump."),
  id: orNull(text("The ID of the transaction; null if the step is about the relayer.")),
  discards_payment: flag("Whether the step discards a payment."),
  message: text("The step in words."),
  command: orNull(text("The command that takes the step; null if there is none.")),
});

export const UNSTICK = closed("Why the transactions of a relayer are not mined, and which steps were taken.", {
  relayer_id: text("The ID of the relayer."),
  stuck: orNull(
    flag("Whether anything is stuck; null if the chain could not be asked and only the chain could show it."),
  ),
  waiting: count("The number of transactions that are not mined."),
  nonce: orNull(count("The next nonce of the account on the chain; null if it is not known.")),
  base_fee: wei("The base fee of the newest block, per gas"),
  balance: wei("The balance of the account"),
  by_record: flag("Whether only the records count, since the chain could not be asked."),
  head: orNull(
    closed("The transaction or the gap that all others wait for; null if nothing waits.", {
      nonce,
      id: orNull(text("The ID; null for a gap.")),
      status: orNull(text("The status.")),
      hash: orNull(text("The hash.")),
      to: orNull(text("The address of the receiver.")),
      value: wei("The value"),
      max_fee: wei("The most that it pays per gas"),
      created_at: orNull(text("When the service accepted it, in RFC 3339.")),
    }),
  ),
  findings: list(
    "What was found, the head first.",
    closed("A fact about the queue.", {
      code: text("The stable code, e.g. underpriced."),
      severity: SEVERITY,
      nonce,
      id: orNull(text("The ID of the transaction.")),
      message: text("One sentence."),
    }),
  ),
  step: orNull({ ...STEP, description: "The step that helps best; null if no step helps." }),
  other_steps: list("Further steps that help.", STEP),
  taken: list(
    "The steps that this run took.",
    closed("A step that was taken.", {
      action: text("What the step did."),
      nonce,
      id: orNull(text("The ID of the transaction.")),
    }),
  ),
  missing: texts("What could not be read, in words."),
});

const WAIT_MEMBERS: Members = {
  relayer_id: text("The ID of the relayer."),
  id: text("The ID of the transaction."),
  end: orNull(
    word("How the wait ended; null while the transaction is followed.", [
      "reached",
      "unmet",
      "mismatch",
      "gone",
      "pending",
    ]),
  ),
  verdict: orNull(word("What became of the transaction; null if nothing was read yet.", VERDICTS)),
  why: orNull(text("Why, in one sentence.")),
  by_record: flag("Whether only the record shows it, since the chain could not be asked."),
  status: orNull(text("The status of the record.")),
  nonce,
  ahead: orNull(count("The number of transactions of the account that wait before it; null if it is not known.")),
  hash: orNull(text("The hash on the chain, or of the record.")),
  block: orNull(count("The number of the block that contains it.")),
  to: orNull(text("The address of the receiver on the chain, or of the record.")),
  value: wei("The value on the chain, or of the record"),
  fee_paid: wei("The fee that was paid"),
  reason: orNull(text("Why it reverted, on one line.")),
  revert_data: orNull(text("The bytes of the revert reason, in hexadecimal digits.")),
  missing: texts("What could not be read, in words."),
};

export const WAIT = closed("Where a transaction stands.", WAIT_MEMBERS);
export const WAIT_EVENT = closed("A change of a transaction while a command waits for it, one per line.", {
  time: time("When the change was seen"),
  event: word("What happened.", ["seen", "changed", "ended"]),
  ...WAIT_MEMBERS,
});

export const STUCK_TRANSACTION = closed("A transaction that has been pending for longer than usual.", {
  relayer_id: text("The ID of the relayer."),
  network: orNull(text("The name of the network.")),
  id: text("The ID of the transaction."),
  nonce: { description: "The nonce; null if there is none.", type: ["integer", "string", "null"] },
  status: orNull(text("The status.")),
  created_at: orNull(text("When the service accepted it, in RFC 3339.")),
  value: { description: "The value, in wei; null if it is not known.", type: ["integer", "string", "null"] },
  fee: wei("The most that it pays per gas"),
  base_fee: wei("The base fee of the newest block, per gas"),
  code: text("The stable code of the cause, e.g. underpriced."),
  why: text("The cause in one sentence."),
  waits_for: orNull(digits("The nonce that it waits for; null for the transaction that holds up the others.")),
  blocks: count("The number of transactions that wait for it."),
  next: orNull(text("The command that helps; null if there is none.")),
});

export const MATCH = closed("A place where the text was found.", {
  kind: text("What was found: a relayer, a transaction, a notification, a signer, a network, a plugin, or a write."),
  context: text("The name of the context, demo, or the origin of the service."),
  relayer: orNull(text("The ID of the relayer; null if it is about no relayer.")),
  id: text("The ID."),
  what: text("What was found, in words."),
  command: text("The command that shows it."),
});

export const DELETED = closed("The result of a deletion.", {
  id: text("The ID."),
  deleted: word("Always true.", [true] as never),
});
