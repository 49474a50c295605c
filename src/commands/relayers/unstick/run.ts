import { isShown } from "../../../command-support/shown.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { checkRaisedCaps } from "../../tx/raised-cap/alone.ts";
import { blocked } from "./blocked.ts";
import { allowedBy, chooseStep } from "./choose-step.ts";
import type { UnstickFlags } from "./flags.ts";
import { free } from "./free.ts";
import { placeOf } from "./place.ts";
import { openQueue, type QueueRequest, readDiagnosis } from "./read-diagnosis.ts";
import { stepView } from "./take-step.ts";
import { blockLines, queueView } from "./view.ts";

/** Frees a relayer's transactions. A dry run shows what holds them up, `--curl` what would be sent next. */
export async function unstick(call: Call<UnstickFlags>, request: QueueRequest): Promise<View> {
  await checkRaisedCaps(call, [request.relayerId], call.flags.raiseCap === true);
  if (!isShown(call)) return await free(call, request);
  const queue = await openQueue(call, request);
  const found = await readDiagnosis(call, queue);
  const place = await placeOf(call, queue);
  if (!call.common.curl) return queueView(found, place);
  for (const line of blockLines(found, place)) await call.say(line);
  const { diagnosis } = found;
  const step = diagnosis.isStuck === false ? ({ action: "wait" } as const) : chooseStep(diagnosis, allowedBy(call));
  if (!step) throw blocked(found, place, false);
  if (step.action !== "wait") return await stepView(call, found, step);
  await call.say(`note: no request would be sent: ${diagnosis.head ? "it would only wait" : "nothing is stuck"}`);
  return { kind: "text", text: "" };
}
