import type { Obstacle, Prediction } from "../../../chain/replacement/prediction.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import type { Currency } from "../../../contract/currency.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { Call } from "../../command.ts";
import type { Target } from "../transaction-write.ts";
import { obstacleWords, waysOutLines } from "./prediction-words.ts";

/** `--force`: sends what cannot work. */
export interface ForceFlag {
  force?: boolean;
}

export const FORCE = ["--force", "Send the request even if the service would never broadcast the result"] as const;

interface Refused {
  prediction: Prediction;
  obstacle: Obstacle;
  coin: Currency;
  target: Target;
  /** Whether the prediction is known to hold for this service. */
  isKnown: boolean;
}

/**
 * Refuses what cannot work, with what helps. With `--force`, or if it is not known to hold, it is a warning.
 * @throws RelayctlError conflict; nothing was sent
 */
export async function refuseUnlessForced(
  call: Call<ForceFlag>,
  { flags }: Session,
  { prediction, obstacle, coin, target, isKnown }: Refused,
): Promise<void> {
  const words = obstacleWords(prediction, obstacle, coin);
  if (words === undefined) return;
  if (!isKnown || call.flags.force === true) return await writeLines(call, [`warning: ${words}`]);
  const because = ["nothing was sent", ...waysOutLines(prediction, target, flags, coin)];
  throw new RelayctlError("conflict", words, { because, retryable: false });
}
