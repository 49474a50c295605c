import { appliedToMany } from "../../../client/bulk/failure.ts";
import type { Completed } from "../../../client/bulk/run-all.ts";
import type { Shortfall } from "../../../command-support/bulk/view.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import { grouped } from "../../../contract/decimal.ts";
import { RelayctlError } from "../../../errors.ts";
import { shellOf } from "../../../shell/shell-of.ts";
import type { Call } from "../../command.ts";

/** How a pause of relayers from a list that changed while it was read ends. */
export const movedList: Shortfall = {
  words: "the list changed while it was read: some relayers may be missing",
  failure: notSurelyAll,
};

function notSurelyAll({ app, argv }: Call, completed: readonly Completed<unknown>[]): RelayctlError {
  const count = completed.length === 1 ? "1 relayer is" : `${grouped(completed.length)} relayers are`;
  return new RelayctlError("partial", `${count} paused, and there may be more: the list changed while it was read`, {
    applied: appliedToMany(completed),
    because: ["run the command again until it exits with 0"],
    hint: repeatedCommand(argv, [], shellOf(app.env)),
    retryable: true,
  });
}
