import { isShown } from "../../../command-support/shown.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { UnstickFlags } from "./flags.ts";
import { free } from "./free.ts";
import { placeOf } from "./place.ts";
import { openQueue, type QueueRequest, readDiagnosis } from "./read-diagnosis.ts";
import { queueView } from "./view.ts";

/** Frees the transactions of a relayer, or in a dry run shows what holds them up. */
export async function unstick(call: Call<UnstickFlags>, request: QueueRequest): Promise<View> {
  if (!isShown(call)) return await free(call, request);
  const queue = await openQueue(call, request);
  return queueView(await readDiagnosis(call, queue), await placeOf(call, queue));
}
