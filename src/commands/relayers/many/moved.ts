import { appliedOf } from "../../../command-support/bulk/failure.ts";
import type { Landed } from "../../../command-support/bulk/run.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { shellOf } from "../../../command-support/shell/shell-of.ts";
import { RelayctlError } from "../../../errors.ts";
import type { ListView } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";

/** What a user is told before and after the writes. */
export const MOVED = "the list changed while it was read: some relayers may be missing";

/** Ends a change of the relayers that were seen in a list that moved: whoever was not seen is left, and that is a failure. */
export function endingAsMoved<T>(call: Call, view: ListView, done: Promise<readonly Landed<T>[]>): ListView {
  return {
    ...view,
    async ending() {
      const ending = (await view.ending?.()) ?? {};
      const landed = await done;
      return { ...ending, failure: ending.failure?.with({ because: [MOVED] }) ?? notSurelyAll(call, landed) };
    },
  };
}

function notSurelyAll<T>({ app, argv }: Call, landed: readonly Landed<T>[]): RelayctlError {
  const count = landed.length === 1 ? "1 relayer is" : `${landed.length} relayers are`;
  return new RelayctlError("partial", `${count} paused, and there may be more: the list changed while it was read`, {
    applied: appliedOf(landed),
    because: ["run the command again until it exits with 0"],
    hint: repeatedCommand(argv, [], shellOf(app.env)),
    retryable: true,
  });
}
