import { readId, validateId } from "../../command-support/ids.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { givenText, type Problems } from "../../contract/problems.ts";
import type { OnceFlags } from "../../session/journaling/journal-use.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import type { View } from "../../terminal/view.ts";
import { transactionView } from "../../views/transaction/record.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { senderArgument } from "./arguments.ts";
import { type BodyFlags, bodyFromFlags, defineSentBody } from "./body/body-flags.ts";
import { requireContract } from "./call/call-flags.ts";
import type { Sending } from "./relayer-check.ts";
import { sendTransaction } from "./send-transaction.ts";
import {
  defineSimulationFlags,
  SIMULATION_ENDS,
  type SimulationFlags,
  validateSimulation,
} from "./simulation/flags.ts";
import { defineWriteWaitFlags, isWaiting, WAIT_ENDS, type WriteWaitFlags, writeWaitPlan } from "./wait/flags.ts";

const LONGEST = 200;
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

function defineOnceFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Repeated runs")
    .option("--once <key>", "Send at most once; a rerun reports the first transaction")
    .option("--state <folder>", "Keep the keys in this folder (default: in the journal)");
}

function onceKey({ once, state }: OnceFlags, problems: Problems): string | undefined {
  const rule = once === undefined ? undefined : keyProblem(once);
  if (rule) problems.add("--once", rule, once);
  if (state !== undefined && once === undefined) problems.add("--state", "has no effect without --once");
  if (state === "") problems.add("--state", "is empty");
  return once;
}

function keyProblem(key: string): string | undefined {
  if (key.trim() === "") return "is empty";
  if (NOT_PRINTABLE.test(key)) return "must consist of printable characters";
  return [...key].length > LONGEST ? `must have at most ${LONGEST} characters` : undefined;
}

type Flags = BodyFlags & SimulationFlags & WriteWaitFlags & OnceFlags;

const PAYMENT = "eth-main-1 --to @treasury --value 0.01eth";

/** `relayctl tx send <relayer-id>` (facts 5.3, 5.7, 5.8). Never sent again once it may have left. */
export const txSend: CommandFile<Flags, Sending> = {
  summary: "Send a transaction",
  sends: "once",
  spends: true,
  ends: {
    conflict: "the relayer is paused or disabled",
    io: "--once, and the journal lost lines",
    ...SIMULATION_ENDS,
    ...WAIT_ENDS,
  },
  examples: [
    `relayctl tx send ${PAYMENT} --speed fast -y`,
    `relayctl tx send ${PAYMENT} --max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei --dry-run`,
    "relayctl tx send xlm-treasury --network mainnet --operations payment.json --memo text:invoice-7 --curl",
  ],
  resource: transactionView,
  waits: isWaiting,
  args: [{ ...senderArgument, description: "ID of the relayer that sends the transaction" }],
  readsFirst: ({ flags }: { flags: Flags }) => flags.simulate === true || flags.toRelayer !== undefined,
  define,
  interview: async (call) => (await import("./interview/send.ts")).sendInterview(call),
  prepare,
  run,
};

function define(command: CommandSyntax) {
  return command
    .description(
      "Send a transaction. The relayer is read first: a body of another kind, a paused relayer, a forbidden receiver, or an amount above the balance is rejected before anything is sent. The response means that the transaction is queued, not mined.",
    )
    .include(defineSentBody)
    .include(defineSimulationFlags)
    .include(defineOnceFlags)
    .option(...LOST_LINES)
    .include(defineWriteWaitFlags);
}

async function run(call: Call<Flags>, sending: Sending): Promise<View> {
  const { toRelayer } = call.flags;
  if (toRelayer === undefined) return await sendTransaction(call, sending);
  const { withReceiver } = await import("./to-relayer.ts");
  return await sendTransaction(call, await withReceiver(call, sending, toRelayer));
}

async function prepare(call: Call<Flags>, problems: Problems): Promise<Sending> {
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const { networkType: asked, to, toRelayer } = call.flags;
  if (toRelayer !== undefined) validateId(problems, "--to-relayer", toRelayer);
  if (toRelayer !== undefined && to !== undefined) problems.add("--to-relayer", "cannot be combined with --to");
  const typed = await bodyFromFlags(call, problems, givenText);
  requireContract(problems, call.flags, typed.named);
  // zod is slow to load, and help does not need it.
  const { validateTransaction } = await import("./body/send-body.ts");
  const validated = validateTransaction(
    problems,
    typed,
    isNetworkKind(asked) ? asked : undefined,
    call.app.clock.now(),
  );
  validateSimulation(call, problems, validated.kind);
  const wait = writeWaitPlan(call, problems);
  const once = onceKey(call.flags, problems);
  return { relayerId, ...validated, sourceOf: typed.sourceOf, coins: typed.coins, wait, once };
}
