import { RelayctlError } from "../../../errors.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import type { Call } from "../../command.ts";
import { isWell, type RelayerStatus } from "./health.ts";
import { statusView } from "./view.ts";

/** Why a check of the relayers that are shown does not hold; nothing when all of them are well. */
export async function failedCheck(
  { output }: Call,
  found: readonly RelayerStatus[],
): Promise<RelayctlError | undefined> {
  const { where } = await readSelection(output, statusView);
  const shown = found.filter((status) => where.every((holds) => holds(status)));
  if (shown.every(isWell)) return undefined;
  const count = (state: string) => shown.filter(({ health }) => health.state === state).length;
  const parts = ["disabled", "paused"].filter((state) => count(state) > 0).map((state) => `${count(state)} ${state}`);
  return new RelayctlError("unmet", `the check failed: ${parts.join(" and ")} of ${shown.length} relayers`);
}
