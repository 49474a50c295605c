import { createFollowing, type Wait, type WorkerOptions } from "./following.ts";
import { firstPrice, requestedPrice } from "./pricing.ts";
import {
  becomeNoop,
  isFinal,
  isSignable,
  noopOf,
  type Stored,
  setPrice,
  show,
  signed,
  type Version,
} from "./record.ts";

/** What a client may ask of a transaction. */
export interface Wish extends Version {
  gas: number | null;
  speed: string | undefined;
  validUntil?: number | undefined;
}

/** The service's jobs: they sign, send, check, and end transactions. */
export interface Worker {
  readonly records: ReadonlyMap<string, Stored>;
  /** Every record that ever was, deleted ones too. */
  readonly all: readonly Stored[];
  post(id: string, from: { relayer: string; address: string }, wish: Wish): Stored;
  /** Returns why it is refused (facts 5.4). */
  replace(stored: Stored, wish: Wish): string | undefined;
  cancel(stored: Stored): string | undefined;
  /** Loses all records, as a restart does without a database. */
  forgetAll(): void;
}

const OPEN = ["pending", "sent", "submitted"];
export function createWorker(given: Omit<WorkerOptions, "nextNonce">): Worker {
  const { timeline, chain, pricing } = given;
  const records = new Map<string, Stored>();
  const all: Stored[] = [];
  const nonces = new Map<string, number>();
  const options = { ...given, nextNonce };
  const { later, submit, resend, end } = createFollowing(options, records);

  function nextNonce(from: string): number {
    const nonce = nonces.get(from) ?? chain.earlier;
    nonces.set(from, nonce + 1);
    return nonce;
  }

  /** Takes a nonce and a price, and signs (facts 5.1). What cannot be signed stays without a hash (facts 13.3, 16.3). */
  function prepare(stored: Stored): void {
    if (stored.status !== "pending" || stored.nonce !== null) return;
    stored.nonce = nextNonce(stored.from);
    stored.nonces.push(stored.nonce);
    const price = firstPrice(pricing, stored.speed);
    setPrice(stored, price, timeline.now);
    if (!isSignable(stored)) return void later(stored, [127_000, 134_000], giveUpUnsigned);
    show(stored, signed(stored, price).hash);
    stored.status = "sent";
    later(stored, [200, 2_000], submit);
  }

  /** What was mended by a replacement is sent under the hash that its response showed (facts 16.2, 16.3). */
  function submitUnsigned(stored: Stored): void {
    stored.status = "sent";
    submit(stored);
  }

  function giveUpUnsigned(stored: Stored): void {
    if (stored.status !== "pending" || stored.hash !== null) return;
    end(stored, "failed", "Transaction in Pending state for over 2 minutes. Replacing with NOOP.");
    fillGapAfter(stored, [60_000, 75_000]);
  }

  function fillGapAfter(stored: Stored, [least, most]: Wait): void {
    timeline.after(least + options.chance.below(most - least), () => fillGap(stored));
  }

  /** Uses up a nonce that nothing will use (facts 13.3, 16.3). */
  function fillGap({ from, nonce, relayer }: Stored): void {
    const isTaken = [...records.values()].some((each) => each.from === from && each.nonce === nonce && !isFinal(each));
    if (nonce === null || isTaken || chain.minedBy(from, nonce)) return;
    const noop = blank(
      `gap-${relayer}-${nonce}`,
      { relayer, address: from },
      { ...noopOf(from), gas: 21_000, speed: "fast" },
    );
    Object.assign(noop, { nonce, nonces: [nonce], reason: `Gap-filling NOOP for nonce ${nonce}` });
    const price = firstPrice({ ...pricing, cap: undefined }, "fast");
    setPrice(noop, price, timeline.now);
    show(noop, signed(noop, price).hash);
    noop.status = "sent";
    submit(noop);
  }

  function blank(id: string, { relayer, address }: { relayer: string; address: string }, wish: Wish): Stored {
    const { to, value, data, gas, speed = "fast", validUntil } = wish;
    const stored: Stored = {
      id,
      relayer,
      from: address,
      ...{ to, value, data, gas, speed, validUntil },
      ...{
        hash: null,
        status: "pending",
        reason: null,
        sentAt: null,
        confirmedAt: null,
        nonce: null,
        nonces: [],
        price: undefined,
      },
      ...{ createdAt: timeline.now, pricedAt: timeline.now, raises: 0, isCanceled: false, isSent: false },
      versions: [{ to, value, data }],
      broadcast: new Set(),
      refused: new Set(),
      shown: new Set(),
    };
    records.set(id, stored);
    all.push(stored);
    return stored;
  }

  return {
    records,
    all,
    post(id, from, wish) {
      const stored = blank(id, from, wish);
      later(stored, [100, 3_000], prepare);
      return stored;
    },
    replace(stored, { to, value, data, gas, speed }) {
      if (!OPEN.includes(stored.status)) return refusal("replace_transaction", stored);
      if (!stored.price) return "Unable to calculate sufficient price bump for speed-based replacement";
      Object.assign(stored, { to, value, data, gas, speed: speed ?? stored.speed, isSent: false });
      stored.versions.push({ to, value, data });
      const wasUnsigned = stored.status === "pending";
      const price = requestedPrice(pricing, stored.price, stored.speed);
      setPrice(stored, price, timeline.now);
      show(stored, signed(stored, price).hash);
      later(stored, [1_000, 3_000], wasUnsigned ? submitUnsigned : resend);
      return undefined;
    },
    cancel(stored) {
      if (!OPEN.includes(stored.status)) return refusal("cancel_transaction", stored);
      if (stored.status === "pending") {
        stored.isCanceled = true;
        end(stored, "canceled", "Transaction canceled by user");
        if (stored.nonce !== null) fillGapAfter(stored, [180_000, 195_000]);
        return undefined;
      }
      stored.isCanceled = true;
      becomeNoop(stored, "Transaction canceled by user, replacing with NOOP");
      later(stored, [1_000, 3_000], resend);
      return undefined;
    },
    forgetAll: () => records.clear(),
  };
}

function refusal(act: string, { status }: Stored): string {
  const word = status.charAt(0).toUpperCase() + status.slice(1);
  return `Invalid transaction state for ${act}. Current: ${word}, Expected one of: [Pending, Sent, Submitted]`;
}
