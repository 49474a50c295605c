import { isDryRun } from "../../command-support/shown.ts";
import { writeJson } from "../../contract/json.ts";
import { NETWORK_KINDS } from "../../contract/network-kind.ts";
import { type CatalogEntry, EVENT_WORDS, WEBHOOK_EVENTS } from "../../contract/webhook/catalog.ts";
import { webhookSignature } from "../../contract/webhook/signature.ts";
import { RelayctlError } from "../../errors.ts";
import type { BlockLine, View } from "../../terminal/view.ts";
import { createCommand } from "../command.ts";
import { chosenEvent, testEvent } from "./chosen-event.ts";
import { defineSigningKeyFlag, readSigningKey } from "./signing-keys.ts";
import { type DeliveryResult, type DeliveryTarget, openWebhookTarget, type ShownDelivery } from "./target.ts";

export const webhooksTest = createCommand({
  summary: "Send an example event to a receiver",
  sends: "deliveries",
  ends: { ok: "accepted", unmet: "not accepted, or a wrong signature was accepted" },
  examples: [
    "relayctl webhooks test --to http://127.0.0.1:8080/hook --signing-key-file signing.key",
    "relayctl webhooks test --to http://127.0.0.1:8080/hook --signing-key-file signing.key --check-refusal",
    "relayctl webhooks test --event relayer_disabled --network-type stellar --to http://127.0.0.1:8080/hook --curl",
  ],
  description:
    "Send an example event to a receiver, with the headers and the compact body of the service, and report whether the receiver accepts it with a status from 200 to 299. A transaction in it does not exist, and is not confirmed. Sends each request once, follows no redirect, and contacts only the URL that you type, which may be in a private network.",
  define: (command) =>
    command
      .optionsGroup("Delivery")
      .option("--to <url>", "URL of the receiver (required)")
      .choice("--event <event>", "Event to send (default: transaction_update)", EVENT_WORDS)
      .choice("--network-type <type>", "Network type of the event (default: evm if it sends the event)", NETWORK_KINDS)
      .include(defineSigningKeyFlag, "Sign with the key in this file")
      .option("--check-refusal", "Also send a wrong signature and no signature, which the receiver must refuse"),
  async prepare(call, problems) {
    const { event = "transaction_update", networkType: kind, to, signingKeyFile, checkRefusal } = call.flags;
    const chosen = problems.has("--event") ? undefined : chosenEvent(event, kind, problems, "--event");
    if (checkRefusal && signingKeyFile === undefined)
      problems.add("--check-refusal", "requires --signing-key-file: the receiver must accept a valid signature");
    const target = await openWebhookTarget(call, to, problems);
    const key = await readSigningKey(call, signingKeyFile, problems);
    return chosen && target && { chosen, target, key };
  },
  async run(call, typed) {
    const { chosen, target, key } = typed;
    const { app, flags } = call;
    const checks: Check[] = testSignings(key, flags.checkRefusal === true).map((signature) => {
      const event = testEvent(app, chosen);
      return { signature, id: event.id, body: new TextEncoder().encode(writeJson({ ...event })) };
    });
    if (isDryRun(call)) {
      const { showTargetDeliveries } = await import("./target.ts");
      return await showTargetDeliveries(
        call,
        target,
        checks.map((check) => signDelivery(check, key)),
      );
    }
    return checksView(chosen.entry, target, await checkTarget(target, checks, key));
  },
});

/** How a delivery is signed: `valid` and `unsigned` ones must be accepted, `wrong` and `missing` signatures refused. */
type Signing = "valid" | "unsigned" | "wrong" | "missing";

interface Check {
  signature: Signing;
  /** Unique for each delivery, so that none is taken for a repeat. */
  id: string;
  body: Uint8Array;
}

interface Checked extends Check {
  received: DeliveryResult;
  problem: string | undefined;
}

function testSignings(key: string | undefined, checksRefusal: boolean): Signing[] {
  return [key === undefined ? "unsigned" : "valid", ...(checksRefusal ? (["wrong", "missing"] as const) : [])];
}

function signDelivery({ signature, body }: Check, key = ""): ShownDelivery {
  if (signature !== "valid" && signature !== "wrong") return { body, headers: {} };
  // Only a receiver that verifies the signature can recognize it as invalid.
  return { body, headers: { "x-signature": webhookSignature(signature === "valid" ? key : `${key}, changed`, body) } };
}

/** Sends the deliveries in turn until the receiver is not reached. @throws RelayctlError network, if none was sent */
async function checkTarget(to: DeliveryTarget, checks: readonly Check[], key: string | undefined): Promise<Checked[]> {
  const done: Checked[] = [];
  for (const check of checks) {
    const { body, headers } = signDelivery(check, key);
    const received = await to.post(body, headers);
    if (!received.isSent && done.length === 0) throw to.notReached(received);
    done.push({ ...check, received, problem: checkProblem(check.signature, received) });
  }
  return done;
}

function checkProblem(signature: Signing, { status, problem }: DeliveryResult): string | undefined {
  if (signature === "valid" || signature === "unsigned") return problem;
  if (status === undefined) return problem;
  if (problem === undefined)
    return `the receiver accepts ${signature === "wrong" ? "a wrong signature" : "a delivery without a signature"}`;
  return undefined;
}

function checksView({ event, payloadType }: CatalogEntry, { shown }: DeliveryTarget, checks: readonly Checked[]): View {
  const problems = checks.flatMap(({ problem }) => problem ?? []);
  const [first, ...others] = problems;
  return {
    kind: "facts",
    lines: [
      { label: "receiver", value: { text: shown } },
      { label: "event", value: { text: isAmbiguous(event) ? `${event} (${payloadType})` : event } },
      ...checks.map(resultLine),
    ],
    value: {
      url: shown,
      event,
      payload_type: payloadType,
      passed: first === undefined,
      checks: checks.map(({ signature, id, received, problem = null }) => ({
        signature,
        id,
        status: received.status ?? null,
        ms: received.milliseconds,
        passed: problem === null,
        problem,
      })),
    },
    notes: [{ note: "the ID of each event is new, so the receiver handles it as a new event" }],
    ...(first !== undefined && { failure: new RelayctlError("unmet", first, { because: others }) }),
  };
}

function isAmbiguous(name: string): boolean {
  return WEBHOOK_EVENTS.filter(({ event }) => event === name).length > 1;
}

const LABELS: Readonly<Record<Signing, string>> = {
  valid: "signed",
  unsigned: "unsigned",
  wrong: "wrong signature",
  missing: "no signature",
};

function resultLine({ signature, received: { status, milliseconds }, problem }: Checked): BlockLine {
  const isAccepted = status !== undefined && status >= 200 && status < 300;
  const text = status === undefined ? "no response" : `${isAccepted ? "accepted" : "refused"}, ${status}`;
  return {
    label: LABELS[signature],
    value: { text: `${text} in ${milliseconds} ms`, tone: problem === undefined ? "good" : "bad" },
  };
}
