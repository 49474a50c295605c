import type { FindingCode, QueueHead } from "../../../chain/queue/diagnosis.ts";
import { feesOf, mostPerGas } from "../../../chain/replacement/fees.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { GAS_PRICE } from "../../../contract/currency.ts";
import type { RelayerCode } from "../code.ts";

/** A cause of a queue that is stuck: the code that it is reported with, and its words after the nonce. */
interface Cause {
  code: RelayerCode;
  words(head: QueueHead, baseFee: bigint | undefined): string;
}

const paying = ({ record }: QueueHead, baseFee: bigint | undefined) => {
  const price = formatAmount(mostPerGas((record && feesOf(record)) ?? {}), GAS_PRICE);
  return baseFee === undefined ? price : `${price}, and the base fee is ${formatAmount(baseFee, GAS_PRICE)}`;
};

/** The causes of facts 15.1, 16.3, and 16.4, in fewer words than a diagnosis has. */
export const CAUSES: Readonly<Partial<Record<FindingCode, Cause>>> = {
  underpriced: { code: "NONCE-JAM", words: (head, baseFee) => `pays at most ${paying(head, baseFee)}` },
  low_tip: { code: "NONCE-JAM", words: () => "offers a lower tip than recent blocks took" },
  not_broadcast: {
    code: "NONCE-UNBROADCAST",
    words: () => "was not sent, and why is unknown: the base fee, the balance, or its price could not be read",
  },
  slow: { code: "NONCE-JAM", words: (head, baseFee) => `is not mined, and pays at most ${paying(head, baseFee)}` },
  response_lost: { code: "NONCE-JAM", words: () => "is at the node and not mined, although its record reads sent" },
  unsignable: { code: "NONCE-JAM", words: () => "can never be signed: its receiver or its data is malformed" },
  unsigned: { code: "NONCE-JAM", words: () => "is not signed: its signer may have failed" },
  gap: { code: "NONCE-GAP", words: () => "has no record, and the others wait for it" },
  unrecorded: { code: "NONCE-FOREIGN", words: () => "has no record, but a transaction with it waits at the node" },
  below_base_fee: { code: "NONCE-UNBROADCAST", words: (head, baseFee) => `was refused at ${paying(head, baseFee)}` },
  unfunded: { code: "NONCE-UNBROADCAST", words: () => "was refused by the node: the balance does not cover it" },
  worker_dead: { code: "NONCE-UNBROADCAST", words: () => "was not sent, although its fee and the balance suffice" },
  not_prepared: { code: "NONCE-UNBROADCAST", words: () => "has waited for longer than the service needs" },
  dropped: { code: "TX-PHANTOM", words: () => "was sent, and the node does not have it anymore" },
  never_broadcast: {
    code: "TX-PHANTOM",
    words: () => "shows a hash that was never broadcast; an earlier version waits",
  },
};
