import type { RelayctlError } from "../../../errors.ts";
import { UNREAD_TIME } from "../../../timing.ts";
import type { Measured } from "../../../views/relayer-status/measurement.ts";
import type { Call } from "../../command.ts";
import type { Threshold } from "../monitor/thresholds.ts";
import type { GuardEvent } from "./pausing.ts";

/** A relayer that could not be measured since a time. */
interface Gap {
  since: number;
  isTold: boolean;
}

/** Reports relayers that could not be measured for some minutes, and that they can be again. */
export function createUnread(
  { app: { clock } }: Pick<Call, "app">,
  conditions: readonly Threshold[],
  note: (text: string, event: GuardEvent) => Promise<void>,
) {
  const gaps = new Map<string, Gap>();
  let away: RelayctlError | undefined;

  /** Returns the active relayers of which a condition could not be compared. */
  const unreadIn = ({ relayers }: Measured) =>
    new Set(
      relayers.flatMap((relayer) => {
        const isOpen = conditions.some(({ isCrossed }) => isCrossed(relayer) === undefined);
        return isOpen && relayer.state === "active" ? relayer.id : [];
      }),
    );

  const miss = async (relayer: string, why = "a value is missing") => {
    const gap = gaps.get(relayer) ?? { since: clock.elapsed(), isTold: false };
    gaps.set(relayer, gap);
    if (gap.isTold || clock.elapsed() - gap.since < UNREAD_TIME) return;
    gap.isTold = true;
    const text = `warning: ${relayer} is not guarded: not measured for ${UNREAD_TIME / 60_000} minutes: ${why}`;
    await note(text, { event: "unread", relayer });
  };
  const end = async (relayer: string) => {
    const gap = gaps.get(relayer);
    gaps.delete(relayer);
    if (gap?.isTold) await note(`note: ${relayer} is measured again`, { event: "read", relayer });
  };

  return {
    failed(error: RelayctlError) {
      away = error;
    },
    /** @param measured undefined if the service could not be read */
    async see(ids: readonly string[], measured: Measured | undefined) {
      const open = measured ? unreadIn(measured) : new Set(ids);
      for (const id of ids) {
        const why = measured ? measured.failures.get(id) : away;
        await (open.has(id) ? miss(id, why?.message) : end(id));
      }
    },
  };
}
