import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import type { Call } from "../../command.ts";
import { type Bumped, type BumpSending, bumpNow } from "./bump-now.ts";

/** Bumps a transaction, with a raised cap if needed. @throws RelayctlError whose `applied` says what took effect */
export async function bumpOne(call: Call, bump: ForeseenBump, sending: BumpSending): Promise<Bumped> {
  if (!bump.raisedCap) return await bumpNow(call, bump, sending);
  const { bumpRaised } = await import("./bump-raised.ts");
  return await bumpRaised(call, bump, sending);
}
