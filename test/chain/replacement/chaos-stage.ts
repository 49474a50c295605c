import { readFeeHistory } from "../../../src/chain/evm/fee-history.ts";
import { type Fees, feeMarket, legacyFeeMarket } from "../../../src/chain/replacement/fees.ts";
import type { JsonValue } from "../../../src/contract/json.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { calmWorld, mine, minedValue, pass, posted, setCap, shown, TRANSFER } from "../../chaos/model/facts.ts";
import { marketPrice, type Price, requestedPrice, resentPrice } from "../../chaos/model/pricing.ts";
import type { Stored } from "../../chaos/model/record.ts";
import { GWEI, type ModelWorld, OWN } from "../../chaos/model/world.ts";
import { fakeNode, fault } from "../fake-node.ts";
import { capOf, known, named, type Situation, type Stage } from "./stage.ts";

const MARKET = { baseFee: 10n * GWEI, tip: GWEI };
const GAS_PRICE = 20n * GWEI;
/** Before and after. */
const VALUES = [1_000, 2_000] as const;

/** The model of the service, which knows nothing of the program. */
export const chaosStage: Stage = async (situation) => {
  const { change = "replace", isTagged = false, isLegacy = false, isNoop = false, speed } = situation;
  const world = calmWorld({ isTagged });
  const { chain, pricing, worker } = world;
  const stored = postedEarlier(world, situation);
  setCap(world, capOf(situation, stored.price?.maxFee ?? 0n, marketPrice(pricing, "fast").maxFee) ?? null);
  const gas = situation.gas === undefined ? 21_000 : situation.gas;
  const wish = { to: isNoop ? OWN : TRANSFER.to, value: isNoop ? 0n : 2_000n, data: null, gas, speed };
  const question = {
    record: recordOf(stored, isLegacy),
    change,
    body: { ...wish, value: String(wish.value), gas_limit: gas },
    cap: pricing.cap,
    isUnraised: isTagged,
    market: isLegacy ? legacyFeeMarket(GAS_PRICE) : feeMarket(known(await readFeeHistory(nodeOf(world))), 2_000),
    baseFee: MARKET.baseFee,
    balance: fund(world, situation, stored),
  };
  const refusal = change === "cancel" ? worker.cancel(stored) : worker.replace(stored, wish);
  const response = refusal === undefined && stored.price ? feesIn(stored.price, isLegacy) : undefined;
  pass(world, 5_000);
  const waiting = stored.nonce === null ? undefined : chain.waiting(stored.from, stored.nonce);
  const isNew = waiting !== undefined && waiting.value !== TRANSFER.value && stored.status !== "canceled";
  const broadcast = isNew ? feesIn(waiting, isLegacy) : undefined;
  mine(world, 5);
  pass(world, 1_200_000);
  const end = {
    status: stored.status,
    shown: named(stored.value, VALUES),
    mined: named(minedValue(world, stored), VALUES),
  };
  return { question, response, broadcast, end };
};

function postedEarlier(world: ModelWorld, situation: Situation): Stored {
  const { old = { fee: 100, tip: 100 }, isLegacy, status } = situation;
  const { chain, pricing } = world;
  const percentOf = (price: bigint, percent: number) => (price * BigInt(percent)) / 100n;
  const tip = percentOf(MARKET.tip, old.tip);
  const fee = percentOf(marketPrice({ chain }, "fast").maxFee, old.fee);
  Object.assign(chain, { tip, baseFee: (fee - percentOf(tip, 120)) / 10n });
  if (isLegacy) pricing.gasPrice = percentOf(GAS_PRICE, old.fee);
  const stored = posted(world, status === "jammed" ? { ...TRANSFER, to: "0x12" } : TRANSFER);
  if (status !== "pending") pass(world, 6_000);
  if (status === "confirmed") {
    mine(world, 3);
    pass(world, 60_000);
  }
  Object.assign(chain, MARKET);
  if (isLegacy) pricing.gasPrice = GAS_PRICE;
  return stored;
}

function fund(world: ModelWorld, { change, gas, speed, spare }: Situation, stored: Stored): bigint | undefined {
  if (spare === undefined || !stored.price) return undefined;
  const at = speed ?? stored.speed;
  const isCancellation = change === "cancel";
  const asked = isCancellation ? stored.price : requestedPrice(world.pricing, stored.price, at);
  const price = resentPrice(world.pricing, asked, at, isCancellation) ?? asked;
  world.canPay = spare >= 0n;
  return BigInt(gas ?? 21_000) * price.maxFee + (isCancellation ? 0n : 2_000n) + spare;
}

function recordOf(stored: Stored, isLegacy: boolean): Transaction {
  const record = shown(stored) as Transaction;
  if (!isLegacy || !stored.price) return record;
  return {
    ...record,
    gas_price: record.max_fee_per_gas ?? null,
    max_fee_per_gas: null,
    max_priority_fee_per_gas: null,
  };
}

function feesIn({ maxFee, tip }: Price, isLegacy: boolean): Fees {
  return isLegacy ? { gas_price: maxFee } : { max_fee_per_gas: maxFee, max_priority_fee_per_gas: tip };
}

function nodeOf({ node }: ModelWorld) {
  return fakeNode((method, params) => {
    const found = node(method, params);
    return "result" in found ? { value: found.result as JsonValue } : fault("failed");
  });
}
