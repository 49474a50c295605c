import type { Relayer } from "../../../contract/relayer.ts";
import { disabledReasons } from "../state.ts";

/** Says, before anything is asked, that no change of this relayer will be taken (service-facts 4.5). */
export function disabledNote({ system_disabled, disabled_reason }: Relayer): string[] {
  if (system_disabled !== true) return [];
  const reasons = disabledReasons(disabled_reason ?? null).join(", ");
  return [
    `warning: the service has disabled it${reasons && ` (${reasons})`}; services up to v1.8 refuse every change until they enable it again`,
  ];
}
