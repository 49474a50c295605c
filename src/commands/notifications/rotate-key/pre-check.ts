import { writeJson } from "../../../contract/json.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Notification } from "../../../contract/resources/notification.ts";
import { TRANSACTION_UPDATE } from "../../../contract/webhook/catalog.ts";
import { isReserved } from "../../../contract/webhook/reserved.ts";
import { webhookSignature } from "../../../contract/webhook/signature.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import { testEvent } from "../../webhooks/chosen-event.ts";
import { type DeliveryTarget, openWebhookTarget } from "../../webhooks/target.ts";
import type { Rotation } from "./flags.ts";

/** @throws RelayctlError unmet, unless the receiver accepts each test delivery */
export async function preCheckRotation(call: Call, { key, oldKey }: Rotation, { url }: Notification): Promise<void> {
  const target = await targetAt(call, String(url ?? ""));
  await deliverTest(call, target, "new", key);
  if (oldKey !== undefined) await deliverTest(call, target, "old", oldKey);
}

async function targetAt(call: Call, url: string): Promise<DeliveryTarget> {
  if (call.common.demo && isReserved(url))
    throw unmetError("the demo sends nothing to names that are reserved for examples");
  const problems = new Problems();
  const target = await openWebhookTarget(call, url, problems);
  const [problem] = problems.found;
  if (target && !problem) return target;
  throw unmetError(`nothing can be delivered to the URL of the notification: ${problem?.rule}`);
}

async function deliverTest(call: Call, target: DeliveryTarget, which: "new" | "old", key: string): Promise<void> {
  const body = writeJson({ ...testEvent(call.app, { entry: TRANSACTION_UPDATE, kind: "evm" }) });
  const { status, milliseconds, problem } = await target.post(body, { "x-signature": webhookSignature(key, body) });
  if (status === undefined) throw unmetError(`the receiver cannot be reached from this machine: ${problem}`);
  if (problem !== undefined)
    throw unmetError(`a test delivery signed with the ${which} key was not accepted: ${problem}`);
  await call.say(`the receiver accepted a test delivery signed with the ${which} key (${status}, ${milliseconds} ms)`);
}

function unmetError(message: string): RelayctlError {
  return new RelayctlError("unmet", message, { because: ["nothing was changed"] });
}
