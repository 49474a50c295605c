import { readId } from "../../command-support/ids.ts";
import { effectTexts } from "../../contract/effect/texts.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import type { Problems } from "../../contract/problems.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import { transactionView } from "../../views/transaction/record.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { pendingArguments } from "./arguments.ts";
import { type BodyFlags, bodyFromFlags, defineReplacementBody } from "./body/body-flags.ts";
import { requireContract } from "./call/call-flags.ts";
import { checkRaisedCaps } from "./raised-cap/alone.ts";
import type { ForceFlag } from "./replacement/prediction-words.ts";
import { validateInheriting, validateReplacement } from "./replacement/replace-body.ts";
import { type Replacing, readsFirst, sendReplacement } from "./replacement/send-replacement.ts";
import {
  defineSimulationFlags,
  SIMULATION_ENDS,
  type SimulationFlags,
  validateSimulation,
} from "./simulation/flags.ts";
import { defineWriteWaitFlags, isWaiting, WAIT_ENDS, type WriteWaitFlags, writeWaitPlan } from "./wait/flags.ts";

const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to @treasury";

type Flags = BodyFlags & ForceFlag & SimulationFlags & WriteWaitFlags;

/** `relayctl tx replace <relayer-id> <tx-id>` (interface 4.3). Never sent again once it may have left. */
export const txReplace: CommandFile<Flags, Replacing> = {
  summary: "Replace a pending transaction",
  sends: "once",
  spends: true,
  ends: {
    conflict: "no longer pending, never broadcast if it were sent, or the relayer is paused or disabled",
    ...SIMULATION_ENDS,
    ...WAIT_ENDS,
  },
  examples: [
    `relayctl tx replace ${PENDING} --value 0.25eth --gas-limit 21000 --speed fastest --yes`,
    "relayctl tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --inherit --speed fastest --yes",
    "relayctl tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5 --network mainnet --operations payment.json --memo text:refund --curl",
  ],
  resource: transactionView,
  waits: isWaiting,
  args: pendingArguments("replaced"),
  readsFirst: ({ flags }: { flags: Flags }) => readsFirst(flags),
  define,
  interview: async (call) => (await import("./interview/replace.ts")).replaceInterview(call),
  prepare,
  run: async (call, replacing) => {
    await checkRaisedCaps(call, [replacing.relayerId], false);
    return await sendReplacement(call, replacing);
  },
};

function define(command: CommandSyntax) {
  return command
    .description(
      `Replace a pending transaction. The body is exactly what you specify: without --inherit, nothing is copied from the earlier version. Once signed, the earlier version ${effectTexts.staysValid}.`,
    )
    .include(defineReplacementBody)
    .option(...LOST_LINES)
    .include(defineSimulationFlags)
    .include(defineWriteWaitFlags);
}

async function prepare(call: Call<Flags>, problems: Problems): Promise<Replacing> {
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const id = await readId(call, problems, "tx-id", call.args[1]);
  const { networkType: kind, inherit } = call.flags;
  const typed = await bodyFromFlags(call, problems);
  const wait = writeWaitPlan(call, problems);
  const now = call.app.clock.now();
  if (inherit) {
    validateInheriting(problems, typed, now);
    return { relayerId, id, kind: "evm", typed, inherits: true, wait };
  }
  requireContract(problems, call.flags, typed.named);
  const validated = validateReplacement(problems, typed, isNetworkKind(kind) ? kind : undefined, now);
  validateSimulation(call, problems, validated);
  return { relayerId, id, kind: validated, typed, inherits: false, wait };
}
