import { addressOf } from "../../../chain/evm/quantity.ts";
import { type Chain, openChain } from "../../../chain/open-chain.ts";
import { USUAL_CONCURRENCY } from "../../../client/bulk/bounds.ts";
import { runWorkers } from "../../../client/run-workers.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isPending } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import { feeOf } from "../../../limits/fee.ts";
import type { PaymentFile } from "../../../payments/payment.ts";
import { type ChainNow, readChainNow } from "../../../payments/top-up/chain-now.ts";
import { type Target, targetsIn } from "../../../payments/top-up/targets.ts";
import { paymentsFor, planTopUps, type TopUp } from "../../../payments/top-up/top-up.ts";
import { readUnshown, type Unshown } from "../../../payments/top-up/unshown.ts";
import { listed } from "../../../session/listed.ts";
import { diagnoseRelayer, nextCommand } from "../stuck/list-stuck.ts";
import { readPending } from "../stuck/stuck-ahead.ts";
import type { TopUpCall } from "./typed-top-up.ts";

export interface Planned {
  topUps: readonly TopUp[];
  file: PaymentFile;
  chain: Chain;
  /** About the price per gas, in wei. */
  price: bigint;
  /** What stays in the purse. */
  least: bigint;
  /** Reads again what is on its way. */
  readMoving(at: ChainNow): Promise<Unshown>;
}

/** The factor by which the price of gas may rise before a payment is mined. */
export const RESERVE = 2n;

export async function planFor(started: TopUpCall): Promise<Planned> {
  const { call, session, typed, payer } = started;
  const { client } = session;
  const { relayer: purse } = payer;
  const { relayerId, nodeUrl: url, speed, levels } = typed;
  const ownNode = (network: string | undefined) => session.ownNode(network, { url });
  const relayers = await listed<Relayer>(client.relayers.list());
  const { targets, notes } = targetsIn(relayers, purse, typed.targets);
  for (const note of notes) await call.say(note);
  const chain = await openChain({ client, relayerId, relayer: purse, ownNode });
  const price = await readPrice(started, chain);
  const addresses = new Set(targets.map(({ address }) => address));
  const journals = [await session.journal(), await session.usualJournal()].flatMap((each) => each ?? []);
  const now = () => call.app.clock.now();
  const world = { client, ownNode, journals, now, server: session.origin, records: session.reach === "all" };
  const readMoving = (at: ChainNow) => readUnshown(world, { purse, relayers, at, addresses, price: RESERVE * price });
  const at = await readChainNow(chain.node);
  const { to } = await readMoving(at);
  const balances = await readBalances(at, targets);
  const holdings = targets.map((target) => {
    const { address } = target;
    return { ...target, balance: balances.get(address) ?? 0n, pending: to.get(address) ?? 0n };
  });
  const topUps = planTopUps(holdings, levels);
  const { policies } = purse;
  const least = (isJsonObject(policies) ? wireAmount(policies.min_balance) : undefined) ?? 0n;
  return { topUps, file: paymentsFor(topUps, speed), chain, price, least, readMoving };
}

async function readBalances(at: ChainNow, targets: readonly Target[]): Promise<ReadonlyMap<string, bigint>> {
  const balances = new Map<string, bigint>();
  const unread = targets.values();
  const work = async () => {
    for (const { address } of unread) balances.set(address, await at.balanceOf(address));
  };
  await runWorkers(USUAL_CONCURRENCY, work, () => unread.return?.());
  return balances;
}

export async function whyStuck({ call, session, payer, typed }: TopUpCall): Promise<RelayctlError | undefined> {
  const { id } = payer.relayer;
  const records = await readPending(session.client, id);
  if (!records.some(isPending)) return undefined;
  const ownNode = (network: string | undefined) => session.ownNode(network, { url: typed.nodeUrl });
  const source = { session: { client: session.client, ownNode }, relayerId: id, now: call.app.clock.now() };
  const { diagnosis } = await diagnoseRelayer(source, async (isWanted) => records.filter(isWanted));
  if (diagnosis.isStuck !== true) return undefined;
  return new RelayctlError("conflict", `the queue of ${id} is stuck: ${diagnosis.findings[0]?.message ?? ""}`, {
    because: ["nothing was sent: a new payment would wait for the stuck transaction"],
    hint: nextCommand(diagnosis, { id, flags: session.flags }) ?? "",
    retryable: false,
  });
}

async function readPrice({ typed: { speed }, payer }: TopUpCall, { node }: Chain): Promise<bigint> {
  const fee = await feeOf({ kind: "evm", body: { speed, gas_limit: 1 }, relayer: payer.relayer, node });
  if (fee) return fee.amount;
  throw new RelayctlError("server", `${node.name} does not return the price of gas`, { because: ["nothing was sent"] });
}

export function purseAddress({ payer }: TopUpCall): string {
  return addressOf(payer.relayer.address) ?? "";
}
