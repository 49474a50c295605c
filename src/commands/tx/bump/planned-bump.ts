import type { Unbumpable } from "../../../chain/bump/bump-request.ts";
import { type ForeseenBump, foreseeBump } from "../../../chain/bump/foresee-bump.ts";
import { readSurroundings, type Surroundings } from "../../../chain/bump/surroundings.ts";
import { openChain } from "../../../chain/open-chain.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { refuseIdle } from "../../../relayer-state/outlook.ts";
import type { Session } from "../../../session/session.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import type { Target } from "../transaction-write.ts";
import type { BumpPlan } from "./flags.ts";

export interface ReadTarget extends Target {
  record: Transaction;
}

export type Planned = ForeseenBump | (ReadTarget & { unbumpable: Unbumpable });

export function isForeseen(planned: Planned): planned is ForeseenBump {
  return "prediction" in planned;
}

/** Reads what decides about bumps, each relayer once, and predicts them. @throws conflict if one is not active */
export async function planBumps(
  call: Call,
  session: Session,
  { speed, wait }: Pick<BumpPlan, "speed" | "wait">,
  targets: readonly ReadTarget[],
): Promise<Planned[]> {
  const now = call.app.clock.now();
  const isDemo = call.common.demo === true;
  const opened = new Map<string, Surroundings>();
  const planned: Planned[] = [];
  for (const target of targets) {
    const { relayerId, record } = target;
    const surroundings = opened.get(relayerId) ?? (await loadSurroundings(call, session, relayerId, wait?.nodeUrl));
    opened.set(relayerId, surroundings);
    const found = await foreseeBump(surroundings, { relayerId, record, speed, now, isDemo });
    planned.push(typeof found === "string" ? { ...target, unbumpable: found } : found);
  }
  return planned;
}

export async function foreseeAgain(
  call: Call,
  session: Session,
  plan: Pick<BumpPlan, "speed" | "wait">,
  target: ReadTarget,
): Promise<ForeseenBump | undefined> {
  const [found] = await planBumps(call, session, plan, [target]);
  return found && isForeseen(found) ? found : undefined;
}

async function loadSurroundings(call: Call, session: Session, relayerId: string, url: string | undefined) {
  const client = session.briefly(FUNDS_TIMEOUT);
  const ownNode = (network: string | undefined) => session.ownNode(network, { url, timeout: FUNDS_TIMEOUT });
  const chain = await openChain({ client, relayerId, ownNode });
  if (chain.relayer) refuseIdle(chain.relayer, session.flags);
  else await call.say(`note: relayer ${relayerId} could not be read; its cap is unknown`);
  return await readSurroundings(chain, call.app.clock.now());
}
