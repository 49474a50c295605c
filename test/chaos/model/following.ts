import type { Chance } from "../../safety/fuzz/chance.ts";
import type { Chain } from "./chain.ts";
import { type Price, type Pricing, resentPrice } from "./pricing.ts";
import { becomeNoop, isFinal, isNoop, type Stored, setPrice, show, signed } from "./record.ts";
import type { Timeline } from "./timeline.ts";

export interface WorkerOptions {
  timeline: Timeline;
  chain: Chain;
  pricing: Pricing;
  chance: Chance;
  confirmations: number;
  /** Whether the node's response to a broadcast is lost this time (facts 16.4). */
  losesReply(): boolean;
  reachesNode(): boolean;
  /** Whether relayers can pay; a node refuses what cannot be paid (facts 16.4). */
  canPay(): boolean;
  /** Whether a record that is sent for the first time is sent once more, with the next nonce (facts 15.9). */
  sendsTwice(): boolean;
  nextNonce(from: string): number;
  /** Milliseconds after which a record in a final status is deleted (facts 5.1). */
  retention: number;
}

/** The shortest and the longest wait before a job, in milliseconds. */
export type Wait = readonly [number, number];

/** What happens to a record once it is signed. */
export interface Following {
  /** Does a job on a record that is not final by then. */
  later(stored: Stored, wait: Wait, job: (stored: Stored) => void): void;
  /** Sends what the record shows, at its price, until a node takes it. */
  submit(stored: Stored): void;
  /** Prices again, signs again, and sends: the job that follows a replacement or a cancellation (facts 15.1, 16.2). */
  resend(stored: Stored): void;
  end(stored: Stored, status: Stored["status"], reason: string | null): void;
}

/** Milliseconds until the price is raised by the clock; each further raise takes twice as long (facts 5.1). */
const PATIENCE: Readonly<Record<string, number>> = {
  safeLow: 600_000,
  average: 300_000,
  fast: 180_000,
  fastest: 120_000,
};
/** Checks that fail in a row before a record is given up (facts 5.1); few, so that lives meet it. */
const MOST_ERRORS = 5;
const FIRST_CHECK: Wait = [8_000, 8_001];
const NEXT_CHECK: Wait = [8_000, 12_000];

export function createFollowing(options: WorkerOptions, records: Map<string, Stored>): Following {
  const { timeline, chain, pricing, chance, confirmations } = options;

  function later(stored: Stored, [least, most]: Wait, job: (stored: Stored) => void): void {
    timeline.after(least + chance.below(most - least), () => {
      if (records.get(stored.id) === stored && !isFinal(stored)) job(stored);
    });
  }

  function submit(stored: Stored): void {
    if (stored.status !== "sent" || !stored.price) return;
    broadcast(stored, stored.price);
    if (stored.status === "sent") later(stored, [25_000, 30_000], submit);
  }

  function broadcast(stored: Stored, price: Price): void {
    // A node refuses what cannot be paid, and the record shows nothing (facts 16.4).
    if (!options.reachesNode() || !options.canPay()) return;
    const transaction = signed(stored, price);
    const reception = chain.receive(transaction);
    if (reception === "nonce too low") return void recover(stored);
    if (reception === "below the base fee") return;
    if (reception === "accepted") {
      stored.broadcast.add(transaction.hash);
      stored.isSent = true;
      if (options.losesReply()) return;
    }
    // "Already known", and "underpriced" too, count as sent (facts 15.2).
    if (reception === "underpriced") stored.refused.add(transaction.hash);
    count(stored, price, transaction.hash);
  }

  /** Records that a version was sent. */
  function count(stored: Stored, price: Price, hash: string): void {
    setPrice(stored, price, timeline.now);
    show(stored, hash);
    const isFirst = stored.sentAt === null;
    stored.sentAt = timeline.now;
    if (stored.status !== "sent" && !isFirst) return;
    stored.status = "submitted";
    later(stored, FIRST_CHECK, (each) => check(each, 0));
    if (isFirst && options.sendsTwice()) sendAgain(stored, price);
  }

  /** From here, the record only shows the second nonce. */
  function sendAgain(stored: Stored, price: Price): void {
    stored.nonce = options.nextNonce(stored.from);
    stored.nonces.push(stored.nonce);
    const transaction = signed(stored, price);
    const isAccepted = chain.receive(transaction) === "accepted";
    (isAccepted ? stored.broadcast : stored.refused).add(transaction.hash);
    show(stored, transaction.hash);
  }

  /** The status check: 8 seconds after the broadcast, and every 8 to 12 from then on (facts 5.1, 15.8). */
  function check(stored: Stored, errors: number): void {
    const again = (count: number) => later(stored, NEXT_CHECK, (each) => check(each, count));
    if (!options.reachesNode()) {
      if (errors < MOST_ERRORS) return void again(errors + 1);
      return void end(stored, "failed", `Transaction status monitoring failed after ${errors} consecutive errors.`);
    }
    settle(stored);
    if (isFinal(stored)) return;
    if (stored.status !== "mined") keepGoing(stored);
    again(0);
  }

  function settle(stored: Stored): void {
    const mined = stored.hash === null ? undefined : chain.mined(stored.hash);
    if (!mined) {
      if (stored.status === "mined") stored.status = "submitted";
      return;
    }
    if (mined.reverted) return void end(stored, "failed", "Transaction reverted on-chain (receipt status: failed)");
    if (chain.head.number - mined.block < confirmations) {
      stored.status = "mined";
      return;
    }
    stored.confirmedAt = timeline.now;
    const { to, value, data } = mined.transaction;
    const isCancellation = stored.isCanceled && isNoop({ to, value, data, from: stored.from });
    end(stored, isCancellation ? "canceled" : "confirmed", stored.reason);
  }

  /** Raises the price by the clock, and replaces what is too old by a no-op (facts 5.1). */
  function keepGoing(stored: Stored): void {
    const isOver = stored.validUntil !== undefined && timeline.now > stored.validUntil;
    if (isOver && !isNoop(stored)) {
      becomeNoop(stored, "Transaction is expired. Replacing with NOOP.");
      return void resend(stored);
    }
    const patience = (PATIENCE[stored.speed] ?? 180_000) * 2 ** stored.raises;
    if (timeline.now - stored.pricedAt < patience) return;
    stored.raises++;
    resend(stored);
  }

  function resend(stored: Stored): void {
    if (!stored.price || stored.status === "pending") return;
    const price = resentPrice(pricing, stored.price, stored.speed, isNoop(stored));
    if (price) broadcast(stored, price);
  }

  /** What "nonce too low" leads to: the hash of an earlier version, or a failure (facts 13.1, 13.2, 16.1). */
  function recover(stored: Stored): void {
    const mined = chain.minedBy(stored.from, stored.nonce ?? 0);
    const isOwn = mined !== undefined && stored.broadcast.has(mined.transaction.hash);
    const wasResent = stored.isSent || stored.broadcast.size > 1;
    if (isOwn && (wasResent || stored.isCanceled || isNoop(stored))) {
      show(stored, mined.transaction.hash);
      stored.reason = null;
      stored.sentAt ??= timeline.now;
      if (stored.status !== "sent") return;
      stored.status = "submitted";
      return void later(stored, FIRST_CHECK, (each) => check(each, 0));
    }
    const { nonce, from } = stored;
    const onChain = chain.nonceAt(from, chain.head.number);
    const words = `Nonce ${nonce} consumed externally (on-chain nonce: ${onChain}). No matching transaction hash found on-chain.`;
    end(stored, "failed", words);
  }

  function end(stored: Stored, status: Stored["status"], reason: string | null): void {
    Object.assign(stored, { status, reason });
    timeline.after(options.retention, () => void (records.get(stored.id) === stored && records.delete(stored.id)));
  }

  return { later, submit, resend, end };
}
