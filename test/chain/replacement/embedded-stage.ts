import { readFeeHistory } from "../../../src/chain/evm/fee-history.ts";
import { parseQuantity } from "../../../src/chain/evm/quantity.ts";
import type { ChainNode } from "../../../src/chain/node/node.ts";
import {
  type Fees,
  feeMarket,
  feesOf,
  legacyFeeMarket,
  type Market,
  mostFeePerGas,
} from "../../../src/chain/replacement/fees.ts";
import type { JsonValue } from "../../../src/contract/json.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { LOCAL } from "../../embedded-server/ask.ts";
import { localService, TO } from "../../embedded-server/openzeppelin/local-service.ts";
import { capOf, type Happened, known, named, type Situation, type Stage } from "./stage.ts";

const MARKET = { fee: 10_850_000_000n, tip: 850_000_000n, gasPrice: 30_000_000_000n };

/** The embedded server as it speaks with `--dialect openzeppelin`. */
export const embeddedStage: Stage = (situation) => staged(situation, {});

/** The embedded server as it speaks with `--demo`, which accepts no malformed receiver. */
export const demoStage: Stage = (situation) => staged(situation, { isDemo: true });

async function staged(situation: Situation, { isDemo }: { isDemo?: true }): Promise<Happened> {
  const { change = "replace", isTagged = false, isLegacy = false, status = "submitted" } = situation;
  const service = localService({
    network: { tags: isTagged ? ["optimism"] : [] },
    relayer: { policies: { eip1559_pricing: !isLegacy } },
    ...(isDemo && { isDemo }),
  });
  const id = await service.send(sentFirst(situation));
  const record = (await service.record(id, SECONDS[status])) as Transaction;
  const before = feesOf(record);
  const cap = capOf(situation, mostFeePerGas(before ?? {}), isLegacy ? MARKET.gasPrice : MARKET.fee);
  if (cap !== undefined) await service.setCap(Number(cap));
  const history = known(await readFeeHistory(nodeOf(service)));
  const market: Market = isLegacy
    ? legacyFeeMarket(parseQuantity(await service.node<JsonValue>("eth_gasPrice")) ?? 0n)
    : feeMarket(history, 1000);
  const funds = requested(situation, before);
  const question = { record, change, cap, isUnraised: isTagged, market, baseFee: history.baseFee, ...funds };
  const path = `/relayers/local-1/transactions/${id}`;
  const { data: _, ...body } = funds.body;
  const reply =
    change === "cancel" ? await service.ask("DELETE", path) : await service.ask("PUT", path, service.bodyFor(body));
  const response = reply.status === 200 ? feesOf(reply.data as Transaction) : undefined;
  await service.record(id, SECONDS[status] + 4);
  const broadcast = newVersion(service, status === "jammed");
  const last = await service.record(id, SECONDS[status] + 1_200);
  const values = [1, Number(body.value)] as const;
  const mined = await service.minedAt(Number(last.nonce));
  const end = { status: String(last.status), shown: named(last.value, values), mined: named(mined?.value, values) };
  return { question, response, broadcast, end };
}

/** A transfer of 1 wei at its old price. */
function sentFirst({ old = { fee: 100, tip: 100 }, isLegacy, status }: Situation): object {
  if (status === "pending") return { speed: "fast" };
  const percentOf = (price: bigint, percent: number) => Number((price * BigInt(percent)) / 100n);
  const prices = isLegacy
    ? { gas_price: percentOf(MARKET.gasPrice, old.fee) }
    : { max_fee_per_gas: percentOf(MARKET.fee, old.fee), max_priority_fee_per_gas: percentOf(MARKET.tip, old.tip) };
  return { speed: undefined, ...prices, ...(status === "jammed" && { to: "0x12" }) };
}

function requested(situation: Situation, before: Fees | undefined) {
  const { isNoop = false, gas = 21_000, speed = "fast", spare } = situation;
  const body = { to: isNoop ? LOCAL : TO, value: isNoop ? "0" : "2", data: null, gas_limit: gas, speed };
  if (spare === undefined) return { body };
  const value = BALANCE - spare - BigInt(gas ?? 21_000) * twiceRaised(situation, before);
  return { body: { ...body, value: String(value) }, balance: BALANCE };
}

function newVersion({ state }: ReturnType<typeof localService>, isFirst: boolean): Fees | undefined {
  const found = state.chains.get("evm:localhost")?.waiting.at(-1);
  if (!found || (found.value === 1n && !isFirst)) return undefined;
  const { isLegacy, fee, tip } = found;
  return isLegacy ? { gas_price: fee } : { max_fee_per_gas: fee, max_priority_fee_per_gas: tip };
}

const SECONDS = { pending: 0, submitted: 5, jammed: 5, confirmed: 200 };
/** What `local-1` has. */
const BALANCE = 3n * 10n ** 18n;

/** Returns what is sent in place of a transaction at the market's price, if no cap forbids it. */
function twiceRaised({ isTagged, isLegacy }: Situation, before: Fees | undefined): bigint {
  return isTagged ? (isLegacy ? MARKET.gasPrice : MARKET.fee) : (mostFeePerGas(before ?? {}) * 121n) / 100n;
}

function nodeOf({ node }: ReturnType<typeof localService>): ChainNode {
  return {
    name: "the node of local-1",
    ask: async (method, params) => ({ value: await node<JsonValue>(method, ...(params as JsonValue[])) }),
  };
}
