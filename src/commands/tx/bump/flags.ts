import type { Speed } from "../../../chain/evm/fee-history.ts";
import { amountFlag } from "../../../command-support/amount-flag.ts";
import { parseDuration } from "../../../config/duration.ts";
import { validated } from "../../../config/sourced.ts";
import { GAS_PRICE } from "../../../contract/currency.ts";
import type { Problems } from "../../../contract/problems.ts";
import { SPEEDS } from "../../../contract/transaction/replacement.ts";
import { type Call, numberFlag } from "../../command.ts";
import type { CommandSyntax, ParsedFlags } from "../../flags/syntax.ts";
import type { ForceFlag } from "../replacement/prediction-words.ts";
import type { SimulationFlags } from "../simulation/flags.ts";
import { type WaitPlan, type WriteWaitFlags, writeWaitPlan } from "../wait/flags.ts";

export type BumpFlags = ParsedFlags<typeof defineBumpFlags> & ForceFlag & SimulationFlags & WriteWaitFlags;

export interface Repetition {
  /** Milliseconds between two bumps. */
  every: number;
  /** The most bumps of one transaction. */
  times: number;
}

export interface BumpPlan {
  speed: Speed;
  /** Wei per gas; undefined for no limit. */
  maxFee: bigint | undefined;
  repetition: Repetition | undefined;
  /**
   * Set if a relayer's cap is raised where it is in the way; `isKept` if it stays raised. `left` holds the caps that this
   * run set, by their relayers: another one is somebody else's, and not raised again.
   */
  raising?: { isKept: boolean; left?: Map<string, bigint> } | undefined;
  wait: WaitPlan | undefined;
}

const EVERY = "2m";
const TIMES = 5;
const MOST_TIMES = 100;

export function isRepeating({ flags }: { flags: BumpFlags }): boolean {
  return flags.until !== undefined;
}

export function defineBumpFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Bump")
    .choice("--speed <speed>", "Speed whose market price counts (default: fastest)", SPEEDS)
    .option(
      "--stuck <time>",
      "Bump what has been pending for longer, e.g. 10m or 2d, or since before a date, lowest nonce first",
    )
    .option("--max-price <amount>", "Send nothing that is predicted to pay more per gas, e.g. 200gwei")
    .option("--raise-cap", "Raise the relayer's cap if it is too low, and restore it once the bump is on its way")
    .option("--keep-raised", "With --raise-cap, leave the cap raised")
    .choice("--until <goal>", "Bump again until the transaction is mined", ["mined"])
    .option("--every <duration>", `Time between two bumps with --until (default: ${EVERY})`)
    .option("--times <n>", `Most bumps of a transaction with --until (1–${MOST_TIMES}; default: ${TIMES})`);
}

export function bumpPlan(call: Call<BumpFlags>, problems: Problems): BumpPlan {
  const { speed = "fastest" } = call.flags;
  const maxFee = amountFlag(problems, "--max-price", call.flags.maxPrice, GAS_PRICE)?.amount;
  if (maxFee === 0n) problems.add("--max-price", "must be more than zero", call.flags.maxPrice);
  const { raiseCap = false, keepRaised = false } = call.flags;
  if (keepRaised && !raiseCap) problems.add("--keep-raised", "has no effect without --raise-cap");
  return {
    raising: raiseCap ? { isKept: keepRaised, left: new Map() } : undefined,
    speed,
    maxFee,
    repetition: findRepetition(call.flags, problems),
    wait: writeWaitPlan(call, problems),
  };
}

function findRepetition({ until, every, times }: BumpFlags, problems: Problems): Repetition | undefined {
  const interval = durationFlag(problems, "--every", every ?? EVERY);
  const most = numberFlag(problems, "--times", times, 1, MOST_TIMES) ?? TIMES;
  if (until !== undefined) return { every: interval ?? 0, times: most };
  for (const [flag, value] of Object.entries({ "--every": every, "--times": times }))
    if (value !== undefined && !problems.has(flag)) problems.add(flag, "has no effect without --until mined");
  return undefined;
}

function durationFlag(problems: Problems, flag: string, text: string): number | undefined {
  return validated({ value: text, from: flag }, parseDuration, problems.found)?.value;
}
