import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { withRaisedCap as predictedWithRaisedCap } from "../../../chain/bump/raise-cap.ts";
import { WEI } from "../../../contract/currency.ts";
import { RelayctlError } from "../../../errors.ts";
import { capText } from "../../../recovery/cap-text.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";
import { withRaisedCap } from "../raised-cap/with-raised-cap.ts";
import { type Bumped, type BumpSending, bumpNow } from "./bump-now.ts";
import { isForeseen, planBumps } from "./planned-bump.ts";
import { refusalOf } from "./refusal.ts";

/**
 * Bumps one transaction with a raised cap, and restores the cap. The bump is predicted again once the cap is raised.
 * @throws RelayctlError partial if the cap is not the earlier one again; what raising the cap and the bump throw
 */
export async function bumpRaised(call: Call, planned: ForeseenBump, sending: BumpSending): Promise<Bumped> {
  const { isKept = false, left } = sending.raising ?? {};
  // An earlier bump of the same command may have left the cap raised.
  const found = isKept ? await foreseenNow(call, planned, sending) : planned;
  const bump = isKept ? predictedWithRaisedCap(found, sending.maxFee) : found;
  const { relayerId, raisedCap } = bump;
  if (!raisedCap) return await bumpNow(call, bump, sending);
  const was = left?.get(relayerId);
  if (isKept && was !== undefined && was !== raisedCap.from) throw setByOther(relayerId, raisedCap.from);
  const work = async () => {
    left?.set(relayerId, raisedCap.to);
    return await bumpNow(call, await clearNow(call, bump, sending), sending);
  };
  return await withRaisedCap(
    call,
    { relayerId, ...raisedCap, isKept },
    {
      run: work,
      wordsOf: ({ broadcast, failure }) =>
        failure?.message ??
        `the bump of ${planned.record.id} was accepted; its state is ${broadcast.state.replaceAll("_", " ")}`,
    },
  );
}

function setByOther(relayerId: string, cap: bigint): RelayctlError {
  const words = `gas_price_cap of ${relayerId} was changed to ${capText(cap)} after this run raised it, and was left so`;
  return new RelayctlError("conflict", words, { because: ["the bump was not sent"], retryable: false });
}

async function foreseenNow(
  call: Call,
  { relayerId, record }: ForeseenBump,
  sending: BumpSending,
): Promise<ForeseenBump> {
  const [found] = await planBumps(call, sending, [{ relayerId, id: record.id, record }]);
  if (found && isForeseen(found)) return found;
  throw new RelayctlError("conflict", `transaction ${record.id} cannot be bumped anymore`, {
    because: ["nothing was sent"],
    retryable: false,
  });
}

/** Predicts a bump again, and refuses it if even the raised cap is not enough by now. */
async function clearNow(call: Call, bump: ForeseenBump, sending: BumpSending): Promise<ForeseenBump> {
  const now = await foreseenNow(call, bump, sending);
  const { flags } = await call.session();
  const refusal = refusalOf(now, { session: flags, coin: WEI, maxFee: sending.maxFee });
  if (!refusal) return now;
  throw new RelayctlError(refusal.failure, refusal.words, {
    because: ["the bump was not sent"],
    hint: commandLine(...flags, "tx", "get", bump.relayerId, bump.record.id),
    retryable: false,
  });
}
