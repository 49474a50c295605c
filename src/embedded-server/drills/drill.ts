import { wireAmount } from "../../contract/amount.ts";
import type { IncidentFacts, IncidentName, IncidentPayment, ReceivedWrite } from "../../contract/incident.ts";
import type { InjectedFailure } from "../../contract/serving.ts";
import { isFinal, isPending } from "../../contract/transaction/transaction.ts";
import { contractCallOutcome } from "../chain/contracts.ts";
import { mineBlocks, reorganizeMined } from "../chain/mining.ts";
import { chainMinedFor, chainOfNetwork } from "../chain/network-chains.ts";
import { simChainHeight, simChainTime } from "../chain/sim-chain.ts";
import { hexDigits } from "../digits.ts";
import type { Lifecycle } from "../lifecycle/lifecycle.ts";
import { LostResponse } from "../middleware/failures.ts";
import { evmSeedTransaction, seedSentBefore, seedTimeBefore } from "../seed/transactions.ts";
import type { EmbeddedServer } from "../server.ts";
import type { Resource } from "../state/collection.ts";
import { createServerState, type ServerState, stateBlockTime, updateState } from "../state/state.ts";
import { memoryStore } from "../state/store.ts";
import type { ServerClock } from "../world.ts";

const PAYER = "payouts";
const RESERVE = "reserve";
const ADDRESS = "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65";
const RESERVE_ADDRESS = "0x9965507d1a55bcc2695c58ba16fb37d818b0a4dc";
const MAINNET = "evm:mainnet";
const CENT = 10n ** 16n;
/** The first of these hashes, far above the server's own. */
const FIRST_HASH = 920_000_000;

interface Incident {
  state: ServerState;
  payments: readonly IncidentPayment[];
  failures: readonly InjectedFailure[];
}

/** A seed's decisions, and when the incident begins. */
interface Opening {
  payments: readonly IncidentPayment[];
  nonce: number;
  /** A number that the seed decides: from 0, and below the number of payments. */
  chosen: number;
  start: number;
}

function createIncident(name: IncidentName, seed: number, start: number): Incident {
  const drawn = (index: number, below: number) => Number.parseInt(hexDigits(seed + index, 8), 16) % below;
  const payments = Array.from({ length: 2 + drawn(1, 3) }, (_, index) => ({
    to: `0x${hexDigits(seed * 8 + index, 36)}beef`,
    value: BigInt(2 + index * 10 + drawn(index + 2, 9)) * CENT,
  }));
  const opening = { payments, nonce: 3 + drawn(9, 90), chosen: drawn(10, payments.length), start };
  return { payments, failures: [], ...OPENINGS[name](opening) };
}

type Begun = Pick<Incident, "state"> & Partial<Incident>;

const OPENINGS: Readonly<Record<IncidentName, (opening: Opening) => Begun>> = {
  /** The first payment offers less than the base fee, and all others wait for its nonce. */
  jam: (opening) => {
    const records = opening.payments.map((payment, index) => {
      const fee = index === 0 ? "12500000000" : "28000000000";
      return sentPayment(opening, { ...payment, index, status: "submitted", minutes: 40 - index, fee });
    });
    return { state: buildState([...records, earlierPayment(opening)], records, { next: "mined", due: 0 }) };
  },
  /** The balance is below its minimum, and the node refuses the payments, which the worker keeps sending. */
  drained: (opening) => {
    const { payments, start } = opening;
    const records = payments.map((payment, index) =>
      sentPayment(opening, { ...payment, index, status: "sent", minutes: 6 }),
    );
    const state = buildState([...records, earlierPayment(opening, DRAINED)]);
    for (const { id } of records) state.lifecycles.set(id, { id, next: "mined", due: start });
    const payer = { ...drillRelayer(PAYER, ADDRESS), system_disabled: true, disabled_reason: BALANCE };
    state.relayers.put(payer);
    state.checks.set(PAYER, { id: PAYER, due: start + RESEND_EVERY, retries: 0 });
    planResend(state, start);
    return { state };
  },
  /** Nothing is sent yet; one response is lost, although the service applies its request. */
  "lost-answer": (opening) => {
    const path = `/api/v1/relayers/${PAYER}/transactions`;
    const failure = { method: "POST", path, status: "lost", rate: 1, only: opening.chosen + 1 } as const;
    return { state: buildState([earlierPayment(opening)]), failures: [failure] };
  },
  /** Everything was mined, but the node stopped earlier, and the service sees what the node shows. */
  "node-lies": (opening) => {
    const { payments, start } = opening;
    const records = payments.map((payment, index) =>
      sentPayment(opening, { ...payment, index, status: "submitted", minutes: 4 }),
    );
    const state = buildState([...records, earlierPayment(opening)], records, { next: "mined", due: 0 });
    const chain = chainOfNetwork(state, { id: MAINNET });
    const block = simChainHeight(start - 2 * MINUTE, stateBlockTime(state.networks.get(MAINNET)));
    state.stuckNode = { url: NODE, chain: { ...chain, waiting: [] }, since: start - 5 * MINUTE };
    state.chains.set(
      MAINNET,
      chain.waiting.reduce((before, each) => mineBlocks(before, each, block), chain),
    );
    const recover = (later: ServerState) => void delete later.stuckNode;
    state.planned = [{ due: start + STUCK_FOR, take: recover }];
    return { state };
  },
  /** The blocks of the payments are replaced, and the payments are mined again later. */
  reorg: (opening) => {
    const { payments, start } = opening;
    const records = payments.map((payment, index) =>
      sentPayment(opening, { ...payment, index, status: "mined", minutes: 1.5 }),
    );
    const state = buildState([...records, earlierPayment(opening)]);
    const network = state.networks.get(MAINNET);
    state.networks.put({ ...network, id: MAINNET, required_confirmations: CONFIRMATIONS });
    const block = Math.max(...chainOfNetwork(state, { id: MAINNET }).mined.map((each) => each.block));
    const due = simChainTime(block + CONFIRMATIONS, stateBlockTime(network));
    for (const { id } of records) state.lifecycles.set(id, { id, next: "confirmed", due });
    state.planned = [{ due: start + MINUTE / 2, take: (later, now) => replaceBlocks(later, records, block, now) }];
    return { state };
  },
};

const CONFIRMATIONS = 12;
/** Milliseconds until the node shows the current chain. */
const MINUTE = 60_000;
const STUCK_FOR = 12 * MINUTE;
/** The first node of the network. */
const NODE = "https://evm-mainnet.rpc.example.org/v2/ZGVtby1rZXk";
/** The cost of an earlier payment, which leaves a hundredth. */
const DRAINED = 299n * CENT;
const BALANCE = { type: "BalanceCheckFailed", details: "Insufficient balance" };
/** Milliseconds between two retries of refused transactions. */
const RESEND_EVERY = 10_000;

/** Has the worker resend refused transactions, until there are none. */
function planResend(state: ServerState, now: number): void {
  const resend = (later: ServerState, due: number) => {
    for (const { id, status } of later.transactions.held()) {
      const lifecycle = later.lifecycles.get(id);
      if (status === "sent" && lifecycle)
        later.lifecycles.set(id, { ...lifecycle, again: { due, tries: 0, reprices: false } });
    }
    planResend(later, due);
  };
  state.planned = [{ due: now + RESEND_EVERY, take: resend }];
}

function replaceBlocks(state: ServerState, records: readonly Resource[], block: number, now: number): void {
  state.chains.set(MAINNET, reorganizeMined(chainOfNetwork(state, { id: MAINNET }), block, now));
  for (const { id } of records) {
    const record = state.transactions.get(id);
    if (record?.status !== "mined") continue;
    updateState(state, { ...record, status: "submitted" }, now);
    state.lifecycles.set(id, { id, next: "mined", due: now });
  }
}

function buildState(transactions: readonly Resource[], open: readonly Resource[] = [], step?: Omit<Lifecycle, "id">) {
  const state = createServerState({
    relayers: [drillRelayer(PAYER, ADDRESS), drillRelayer(RESERVE, RESERVE_ADDRESS)],
    transactions,
    lifecycles: step ? open.map(({ id }) => ({ id, ...step })) : [],
  });
  // The opening balances include nothing.
  state.chains.set(MAINNET, { ...chainOfNetwork(state, { id: MAINNET }), opening: 0 });
  return state;
}

function drillRelayer(id: string, address: string): Resource {
  return {
    id,
    name: id === PAYER ? "Payouts" : "Reserve",
    network: "mainnet",
    network_type: "evm",
    address,
    signer_id: `signer-${id}`,
    paused: false,
    system_disabled: false,
    policies: { eip1559_pricing: true, gas_price_cap: 80_000_000_000, min_balance: 5n * 10n ** 17n },
  };
}

interface SentPayment extends IncidentPayment {
  index: number;
  status: string;
  minutes: number;
  fee?: string;
}

function sentPayment({ nonce, start }: Opening, payment: SentPayment): Resource {
  const { index, status, minutes, to, value, fee = "28000000000" } = payment;
  return evmSeedTransaction(FIRST_HASH + index, {
    id: `d${hexDigits(nonce * 16 + index, 7)}-0000-4000-8000-${hexDigits(index, 12)}`,
    relayer_id: PAYER,
    status,
    ...seedSentBefore(start, minutes),
    from: ADDRESS,
    to,
    value: String(value),
    nonce: nonce + index,
    max_fee_per_gas: fee,
    max_priority_fee_per_gas: "850000000",
    speed: "fast",
  });
}

/** Returns a payment of yesterday, so that the relayer has a history. */
function earlierPayment(opening: Opening, value = CENT): Resource {
  const yesterday = { to: RESERVE_ADDRESS, value, index: -1, status: "confirmed", minutes: 1440 };
  return { ...sentPayment(opening, yesterday), confirmed_at: seedTimeBefore(opening.start, 1439) };
}

/**
 * An incident on the server's clock, and the user's actions. `untilOver` resolves some time after every payment arrived and
 * nothing is pending, so that the last command can read that.
 */
export type Drill = ReturnType<typeof createDrill>;

const CHECK_INTERVAL = 1_000;
/** Milliseconds from the end of an incident to the end of its drill. */
const CALM = 15_000;

export function createDrill({ name, seed }: { name: IncidentName; seed: number }, now: () => number) {
  const start = now();
  const { state, payments, failures } = createIncident(name, seed, start);
  let overSince: number | undefined;
  const reads: number[] = [];
  const writes: ReceivedWrite[] = [];
  const canceled = new Set<string>();

  function note({ method, target, body = "" }: Parameters<EmbeddedServer>[0], isApplied: boolean): void {
    if (!/^\/api\/v1\/relayers\b/.test(target)) return;
    if (isApplied) reads.push(Math.floor((now() - start) / MINUTE));
    if (method !== "GET" && /\/transactions\b/.test(target)) writes.push({ method, target, body, isApplied });
  }

  /** Returns the same server, which notes its requests. */
  function observed(server: EmbeddedServer): EmbeddedServer {
    return async (request) => {
      const needless = request.method === "DELETE" ? needlessRecord(state, payments, request.target) : undefined;
      const received = (isApplied: boolean) => {
        note(request, isApplied);
        if (isApplied && needless !== undefined) canceled.add(needless);
      };
      try {
        const reply = await server(request);
        received(reply.status < 400);
        return reply;
      } catch (error) {
        received(error instanceof LostResponse);
        throw error;
      }
    };
  }

  function facts(): IncidentFacts {
    const length = (overSince ?? now()) - start;
    const made = payments.map((payment) => countTransfers(state, payment));
    return {
      isOver: isOver(state, payments),
      milliseconds: length,
      counts: {
        paid_twice: made.reduce((sum, { mined, open }) => sum + Math.max(0, mined + open - 1), 0),
        lost: made.filter(({ mined, unsettled }) => mined === unsettled).length + countStrays(state, payments),
        minutes_blind: countBlind(new Set(reads), length),
        needless_cancellations: canceled.size,
      },
      writes,
    };
  }

  async function untilOver(clock: ServerClock, stop: AbortSignal): Promise<void> {
    let calm = 0;
    while (calm < CALM && !stop.aborted) {
      await clock.sleep(CHECK_INTERVAL, stop);
      calm = isOver(state, payments) ? calm + CHECK_INTERVAL : 0;
      overSince = calm === 0 ? undefined : (overSince ?? now());
    }
  }

  return { store: memoryStore(state), failures, payments, untilOver, observed, facts };
}

function isOver(state: ServerState, payments: readonly IncidentPayment[]): boolean {
  const isOpen = state.transactions.held().some(({ status }) => !isFinal(String(status)));
  return !isOpen && payments.every((payment) => countTransfers(state, payment).mined > 0);
}

function countTransfers(state: ServerState, payment: IncidentPayment) {
  const { mined } = chainOfNetwork(state, { id: MAINNET });
  const records = state.transactions.held().filter((record) => isPayment(record, payment));
  return {
    mined: mined.filter((each) => isTransfer(each, payment) && !contractCallOutcome(each).isReverted).length,
    unsettled: records.filter((record) => !isFinal(String(record.status)) && chainMinedFor(state, record)).length,
    open: records.filter((record) => isPending(record) && !chainMinedFor(state, record)).length,
  };
}

function isTransfer({ to, value }: { to: string | null; value: bigint }, payment: IncidentPayment): boolean {
  return to?.toLowerCase() === payment.to && value === payment.value;
}

function isPayment({ to, value }: Resource, payment: IncidentPayment): boolean {
  return isTransfer({ to: typeof to === "string" ? to : null, value: wireAmount(value) ?? 0n }, payment);
}

/** Counts the transfers that went to neither a receiver nor a relayer. */
function countStrays(state: ServerState, payments: readonly IncidentPayment[]): number {
  const own = new Set(state.relayers.held().map(({ address }) => String(address).toLowerCase()));
  const { mined } = chainOfNetwork(state, { id: MAINNET });
  const isStray = (each: (typeof mined)[number]) =>
    each.value > 0n && !own.has(String(each.to).toLowerCase()) && !payments.some((one) => isTransfer(each, one));
  return mined.filter(isStray).length;
}

function needlessRecord(state: ServerState, payments: readonly IncidentPayment[], target: string): string | undefined {
  const id = /\/transactions\/([^/?]+)$/.exec(target)?.[1] ?? "";
  const record = state.transactions.get(id);
  const payment = record && payments.find((each) => isPayment(record, each));
  if (!payment) return undefined;
  const { mined, open } = countTransfers(state, payment);
  return mined + open > 1 && !chainMinedFor(state, record) ? undefined : id;
}

function countBlind(seen: ReadonlySet<number>, length: number): number {
  const minutes = Array.from({ length: Math.floor(length / MINUTE) }, (_, minute) => minute);
  return minutes.filter((minute) => !seen.has(minute)).length;
}
