import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { WEI } from "../../../contract/currency.ts";
import { grouped } from "../../../contract/decimal.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import { obstacleWords } from "../replacement/prediction-words.ts";
import type { ForceFlag } from "../replacement/refuse-obstacle.ts";
import { isForeseen, type Planned } from "./planned-bump.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

interface Choosing {
  maxFee: bigint | undefined;
  /** Whether those that cannot be bumped are left out. Otherwise nothing is sent because of them. */
  isStuck: boolean;
}

/**
 * Returns the bumps that can work. Refuses the others, or leaves them out if the relayer's stuck ones are meant.
 * @throws RelayctlError conflict, or usage for a transaction of another kind; nothing was sent
 */
export async function choose(
  call: Call<ForceFlag>,
  planned: readonly Planned[],
  { maxFee, isStuck }: Choosing,
): Promise<ForeseenBump[]> {
  const { flags } = await call.session();
  const context = { session: flags, coin: WEI, maxFee };
  const bumps: ForeseenBump[] = [];
  const refusals: Refusal[] = [];
  for (const each of planned) {
    const refusal = refusalOf(each, context);
    const isForced = refusal?.isForceable === true && call.flags.force === true;
    if (isForeseen(each) && (!refusal || isForced)) {
      await warn(call, each, refusal);
      bumps.push(each);
    } else if (refusal) refusals.push(refusal);
  }
  if (refusals.length > 0 && (!isStuck || bumps.length === 0)) throw refused(refusals, planned.length);
  for (const { id, words } of refusals) await call.say(`note: ${id} is left out: ${words}`);
  return bumps;
}

/** Warns about what is forced; a service or a network that is not known may do otherwise than predicted. */
async function warn(call: Call, { prediction, isKnown }: ForeseenBump, forced: Refusal | undefined): Promise<void> {
  const { obstacle } = prediction;
  const words = forced?.words ?? (obstacle && !isKnown ? obstacleWords(prediction, obstacle, WEI) : undefined);
  if (words !== undefined) await call.say(`warning: ${words}`);
}

function refused(refusals: readonly Refusal[], all: number): RelayctlError {
  const [first, ...more] = refusals;
  if (!first) throw new Error("there is no refusal");
  if (more.length === 0 && all === 1) {
    const because = ["nothing was sent", ...first.ways];
    return new RelayctlError(first.failure, first.words, { because, retryable: false });
  }
  const [isOnly, others] = [more.length === 0, refusals.flatMap(({ ways }) => ways)];
  const failure = refusals.find(({ failure: word }) => word === "usage")?.failure ?? "conflict";
  return new RelayctlError(
    failure,
    `${grouped(refusals.length)} of ${grouped(all)} transactions cannot be bumped; nothing was sent`,
    {
      details: refusals.map(({ relayerId, id, words }) => ({ where: `${relayerId}/${id}`, rule: words })),
      // A single problem is not listed below its error.
      because: [...(isOnly ? [`${first.id}: ${first.words}`] : []), ...new Set(others)],
      retryable: false,
    },
  );
}
