import { leastReplacementPrice } from "../../contract/transaction/replacement.ts";
import { predict } from "../replacement/predict.ts";
import type { ForeseenBump } from "./foresee-bump.ts";

/**
 * Returns a bump with the cap that lets it be broadcast, a tenth above the least one, if nothing but the cap keeps it
 * from that (facts 15.1); otherwise the bump as it is. A service that is not known may price like the known one.
 * @param most wei per gas above which the cap is not raised
 */
export function withRaisedCap(bump: ForeseenBump, most: bigint | undefined): ForeseenBump {
  const { obstacle } = bump.prediction;
  const { cap: from } = bump.question;
  if (obstacle?.kind !== "cap" || from === undefined) return bump;
  // --force lets no bump pass the most, whatever else it passes.
  if (most !== undefined && most < obstacle.needed) return bump;
  const enough = leastReplacementPrice(obstacle.needed);
  const to = most !== undefined && most < enough ? most : enough;
  const question = { ...bump.question, cap: to };
  const prediction = predict(question);
  return prediction.obstacle ? bump : { ...bump, question, prediction, raisedCap: { from, to } };
}
