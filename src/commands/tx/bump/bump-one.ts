import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import type { Call } from "../../command.ts";
import { type Bumped, type BumpSending, bumpNow } from "./bump-now.ts";

/**
 * Bumps one transaction, given its prediction, with a raised cap if it needs one.
 * @throws RelayctlError whose `applied` says whether a request took effect
 */
export async function bumpOne(call: Call, bump: ForeseenBump, sending: BumpSending): Promise<Bumped> {
  if (!bump.raisedCap) return await bumpNow(call, bump, sending);
  const { bumpRaised } = await import("./bump-raised.ts");
  return await bumpRaised(call, bump, sending);
}
