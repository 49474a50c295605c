import { Problems } from "../../../command-support/problems.ts";
import { writeJson } from "../../../contract/json.ts";
import type { Notification } from "../../../contract/resources/notification.ts";
import { EXAMPLE_TRANSACTIONS } from "../../../contract/webhook/example-resources.ts";
import { isReserved } from "../../../contract/webhook/reserved.ts";
import { webhookSignature } from "../../../contract/webhook/signature.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import { openReceiver, type Receiver } from "../../webhooks/receiver.ts";
import type { Rotation } from "./flags.ts";

/**
 * Sends a test delivery that is signed with the new key, and one with the old key if it is known, to the URL of a
 * notification.
 * @throws RelayctlError unmet, unless the receiver accepts each
 */
export async function preCheck(call: Call, { key, oldKey }: Rotation, { url }: Notification): Promise<void> {
  const receiver = await receiverAt(call, String(url ?? ""));
  await deliver(call, receiver, "new", key);
  if (oldKey !== undefined) await deliver(call, receiver, "old", oldKey);
}

async function receiverAt(call: Call, url: string): Promise<Receiver> {
  if (call.common.demo && isReserved(url))
    throw unmet("the demo sends nothing to names that are reserved for examples");
  const problems = new Problems();
  const receiver = await openReceiver(call, url, problems);
  const [problem] = problems.found;
  if (receiver && !problem) return receiver;
  throw unmet(`nothing can be delivered to the URL of the notification: ${problem?.rule}`);
}

async function deliver(call: Call, receiver: Receiver, which: "new" | "old", key: string): Promise<void> {
  const body = testEvent(call);
  const { status, milliseconds, problem } = await receiver.post(body, { "x-signature": webhookSignature(key, body) });
  if (status === undefined) throw unmet(`the receiver cannot be reached from this machine: ${problem}`);
  if (problem !== undefined) throw unmet(`a test delivery signed with the ${which} key was not accepted: ${problem}`);
  await call.say(`the receiver accepted a test delivery signed with the ${which} key (${status}, ${milliseconds} ms)`);
}

/** Returns the body of an event that shows as far as possible that it never happened. */
function testEvent({ app: { random, clock } }: Call): string {
  const timestamp = new Date(clock.now()).toISOString().replace("Z", "+00:00");
  const marks = { id: random.uuid(), status_reason: "test delivery of relayctl", relayer_id: "relayctl-test" };
  // Not the status of the example: nothing should take this for a payment that was confirmed.
  const state = { status: "submitted", confirmed_at: null };
  const payload = { payload_type: "transaction", ...EXAMPLE_TRANSACTIONS.evm, ...state, ...marks };
  return writeJson({ id: random.uuid(), event: "transaction_update", payload, timestamp });
}

function unmet(message: string): RelayctlError {
  return new RelayctlError("unmet", message, { because: ["nothing was changed"] });
}
