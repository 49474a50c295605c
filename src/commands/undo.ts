import type { WriteThrottle } from "../command-support/bulk/writes.ts";
import { LOST_LINES } from "../command-support/journaling/lost-lines-flag.ts";
import { type DiffFlag, isShown } from "../command-support/shown.ts";
import type { View } from "../terminal/view.ts";
import { bulkThrottle, defineThrottleFlags, type ThrottleFlags } from "./bulk/flags.ts";
import type { Call, CommandFile } from "./command.ts";
import { DIFF } from "./flags/options.ts";
import type { CommandSyntax } from "./flags/syntax.ts";
import { requireConsentForMany } from "./relayers/many/consent.ts";
import { planOf } from "./undo/plan.ts";
import { changedSince, refusalOf } from "./undo/refusal.ts";
import { runToUndo } from "./undo/run-to-undo.ts";
import { undoMany } from "./undo/undo-many.ts";
import { undoOne } from "./undo/undo-one.ts";

interface UndoFlags extends ThrottleFlags, DiffFlag {
  partly?: true;
}

/** `relayctl undo [run]`: restores what a run of the journal changed, if nothing changed it since. */
export const undo: CommandFile<UndoFlags, WriteThrottle> = {
  summary: "Undo the changes of a run, if nothing changed since",
  sends: "patch",
  ends: {
    ok: "undone, or already as before the run",
    not_found: "context or run not found",
    conflict: "changed since, or cannot be undone",
    partial: "some failed",
    io: "the journal lost lines",
  },
  variables: ["RELAYCTL_JOURNAL"],
  examples: ["relayctl undo", "relayctl undo 3f2a91c0 --dry-run", "relayctl undo 3f2a91c0 --partly --yes"],
  args: [
    {
      name: "[run]",
      description: "ID of a run, or the start of one (default: the newest run that is not undone)",
      problem: (answer) => (answer === "" ? "is empty" : undefined),
    },
  ],
  paginates: true,
  readsFirst: true,
  define,
  prepare: async ({ args, flags }, problems) => {
    if (args[0] === "") problems.add("[run]", "is empty");
    return bulkThrottle(flags, problems);
  },
  run,
};

function define(command: CommandSyntax): void {
  command
    .description(
      "Send the inverse of the patches of a run that the journal recorded, a bulk run as one. Each resource is read first: if a member that the run changed has another value by now, the command shows both values, sends nothing, and exits with 6. So it does if a part of the run cannot be undone exactly: a transaction, a deletion, a secret, or a value that was not read before.",
    )
    .optionsGroup("Request")
    .option("--partly", "Undo the rest of a bulk run if a part of it cannot be undone, and exit with 12")
    .option(...DIFF)
    .option(...LOST_LINES);
  defineThrottleFlags(command.optionsGroup("Bulk"));
}

async function run(call: Call<UndoFlags>, throttle: WriteThrottle): Promise<View> {
  const session = await call.session();
  const writes = await runToUndo(call, session);
  const { run, time, command } = writes[0].intent;
  const refusal = refusalOf(run, session);
  const { reversals, refused, stayingCanceled } = planOf(writes);
  const partly = call.flags.partly === true;
  const [only, ...more] = reversals;
  const isMany = more.length > 0 || refused.length > 0;
  if (!only || (refused.length > 0 && !partly)) throw refusal(refused, !only);
  if (isMany && !isShown(call)) requireConsentForMany(call);
  session.recordUndoOf(run);
  await call.say(`run ${run} of ${time}: ${command}`);
  if (stayingCanceled > 0)
    await call.say(`note: the run requested cancellations, which an undo does not restore: ${stayingCanceled}`);
  if (isMany) return await undoMany(call, { reversals, refused, check: changedSince, partly, refusal, throttle });
  const check = (live: Parameters<typeof changedSince>[1]) => {
    const problem = changedSince(only, live);
    if (problem) throw refusal([problem], true);
  };
  // Whoever does not type the run has not seen what is undone.
  return await undoOne(call, only, check, call.args[0] === undefined);
}
