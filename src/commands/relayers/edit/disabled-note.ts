import type { Relayer } from "../../../contract/resources/relayer.ts";
import { outlookOf } from "../../../relayer-state/outlook.ts";
import { disabledReasons } from "../../../relayer-state/state.ts";
import { commandLine } from "../../../shell/shell-words.ts";

/**
 * Warns before the first prompt that the service will reject every change of this relayer (facts 4.5), and shows what
 * helps.
 * @param flags the flags that a command repeats to reach the same service
 */
export function disabledNote(relayer: Relayer, flags: readonly string[]): string[] {
  if (relayer.system_disabled !== true) return [];
  const reasons = disabledReasons(relayer.disabled_reason ?? null).join(", ");
  const { remedy } = outlookOf(relayer, flags);
  return [
    `warning: the service has disabled this relayer${reasons && ` (${reasons})`}; services up to v1.8 reject every change until they enable the relayer again`,
    ...(remedy === undefined ? [] : [`replace the network's RPC URLs: ${commandLine(...remedy)}`]),
  ];
}
