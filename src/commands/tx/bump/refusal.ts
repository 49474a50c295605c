import type { Unbumpable } from "../../../chain/bump/bump-request.ts";
import { compareWithMost, type ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { mostPerGas } from "../../../chain/replacement/fees.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { type Currency, GAS_PRICE } from "../../../contract/currency.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Failure } from "../../../errors.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { outcomeOf } from "../../../views/transaction/outcome.ts";
import { obstacleWords, waysOutLines } from "../replacement/prediction-words.ts";
import { isForeseen, type Planned, type ReadTarget } from "./planned-bump.ts";

/** Why a transaction is not bumped, and what helps instead, in one line each. */
export interface Refusal {
  relayerId: string;
  id: string;
  failure: Failure;
  words: string;
  ways: readonly string[];
  /** Whether `--force` sends it anyway. */
  isForceable: boolean;
}

export interface RefusalContext {
  /** The flags that choose the server. */
  session: readonly string[];
  /** Of the network. */
  coin: Currency;
  maxFee: bigint | undefined;
}

/** Returns why a transaction is not bumped; undefined if nothing speaks against it. */
export function refusalOf(planned: Planned, context: RefusalContext): Refusal | undefined {
  return isForeseen(planned) ? foreseenRefusal(planned, context) : unbumpableRefusal(planned, context);
}

function foreseenRefusal(bump: ForeseenBump, context: RefusalContext): Refusal | undefined {
  const { relayerId, record, prediction, ahead } = bump;
  const target = { relayerId, id: record.id };
  const line = lineOf(context, target);
  const conflict = { ...target, failure: "conflict" as const, isForceable: true };
  if (ahead !== undefined && ahead < 0n) {
    const words = `nonce ${String(record.nonce)} is used on the chain: a version of it was mined, or another transaction`;
    return { ...conflict, words, ways: [`check the chain: ${line("get", "--on-chain")}`] };
  }
  const { obstacle } = prediction;
  if (obstacle && (bump.isKnown || obstacle.kind === "over" || obstacle.kind === "unpriced")) {
    const words = obstacleWords(prediction, obstacle, context.coin) ?? "the relayer prices another type of transaction";
    const head =
      ahead !== undefined && ahead > 0n
        ? [
            `free nonce ${BigInt(String(record.nonce)) - ahead} first, which is next in line: ${unstickLine(context, relayerId)}`,
          ]
        : [];
    const raise = obstacle.kind === "cap" ? [`raise the cap for this bump: ${line("bump", "--raise-cap")}`] : [];
    const ways = waysOutLines(prediction, target, context.session, context.coin);
    return { ...conflict, words, ways: [...head, ...raise, ...ways] };
  }
  return aboveMost(bump, context);
}

/** Returns why a prediction is not within `--max-fee`. */
function aboveMost(bump: ForeseenBump, { maxFee }: RefusalContext): Refusal | undefined {
  const found = maxFee === undefined ? "within" : compareWithMost(bump, maxFee);
  if (maxFee === undefined || found === "within") return undefined;
  const { relayerId, record, prediction } = bump;
  const least = prediction.broadcast ?? prediction.response;
  const most = formatAmount(maxFee, GAS_PRICE);
  const words =
    found === "above"
      ? `the bump would pay ${formatAmount(mostPerGas(least ?? {}), GAS_PRICE)} or more, which is above --max-fee ${most}`
      : `the market's price could not be read, so --max-fee ${most} cannot be checked`;
  return { relayerId, id: record.id, failure: "conflict", words, ways: [], isForceable: false };
}

const NOUNS = { solana: "a Solana", stellar: "a Stellar" };

function unbumpableRefusal(
  { relayerId, id, record, unbumpable }: ReadTarget & { unbumpable: Unbumpable },
  context: RefusalContext,
): Refusal {
  const line = lineOf(context, { relayerId, id });
  const refused = (words: string, ...ways: string[]) => ({
    relayerId,
    id,
    failure: "conflict" as const,
    words,
    ways,
    isForceable: false,
  });
  const follow = `follow it: ${line("wait")}`;
  switch (unbumpable) {
    case "solana":
      return {
        ...refused(
          kindWords(unbumpable, id, "the service replaces none; it signs one again itself until it expires"),
          follow,
          `once it has expired, send it again with a higher priority fee: ${sendLine(context, relayerId, "--transaction")}`,
        ),
        failure: "usage",
      };
    case "stellar":
      return {
        ...refused(
          kindWords(unbumpable, id, "the service reports success for a replacement and changes nothing"),
          `${follow}; without --valid-until it expires after 2 minutes`,
          `once it has expired, send it again with a higher fee: ${sendLine(context, relayerId, "--max-fee")}`,
        ),
        failure: "usage",
      };
    case "over": {
      const meaning = outcomeOf(record)?.words;
      const words = `transaction ${id} is ${statusOf(record)}, so there is nothing to bump`;
      return refused(meaning === undefined ? words : `${words}: ${meaning}`, `see: ${line("get")}`);
    }
    case "no_gas_limit":
      return refused(
        "the record has data and no gas limit: the bump would be signed with 21000 gas, and fail",
        `replace it with a gas limit: ${line("replace", "--inherit", "--gas-limit", "GAS")}`,
      );
    case "unsignable":
      return refused(
        `its receiver is not an address, so it can never be signed: ${String(record.to)}`,
        `replace it, which frees its nonce in about 10 seconds: ${line("replace", "--interactive")}`,
      );
    case "no_value":
      return refused("its value cannot be read, so the same transaction cannot be sent again");
  }
}

function kindWords(kind: keyof typeof NOUNS, id: string, why: string): string {
  return `${id} is ${NOUNS[kind]} transaction: ${why}`;
}

function sendLine({ session }: RefusalContext, relayerId: string, flag: string): string {
  return `${commandLine(...session, "tx", "send", relayerId)} … ${flag}`;
}

function unstickLine({ session }: RefusalContext, relayerId: string): string {
  return commandLine(...session, "relayers", "unstick", relayerId);
}

function lineOf({ session }: RefusalContext, { relayerId, id }: Pick<Refusal, "relayerId" | "id">) {
  return (verb: string, ...flags: string[]) => commandLine(...session, "tx", verb, relayerId, id, ...flags);
}
