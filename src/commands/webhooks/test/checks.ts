import { type CatalogEntry, WEBHOOK_EVENTS } from "../../../contract/webhook/catalog.ts";
import { webhookSignature } from "../../../contract/webhook/signature.ts";
import { RelayctlError } from "../../../errors.ts";
import type { BlockLine, View } from "../../../terminal/view.ts";
import type { ShownDelivery } from "../shown-delivery.ts";
import type { DeliveryResult, DeliveryTarget } from "../target.ts";

/** How a delivery is signed: `valid` and `unsigned` ones must be accepted, `wrong` and `missing` signatures refused. */
export type Signing = "valid" | "unsigned" | "wrong" | "missing";

export interface Check {
  signature: Signing;
  /** The ID of the event; each delivery has another, so that none is taken for a repetition. */
  id: string;
  body: Uint8Array;
}

interface Checked extends Check {
  received: DeliveryResult;
  problem: string | undefined;
}

/** Returns the deliveries of a test, in order. */
export function checksOf(key: string | undefined, checksRefusal: boolean): Signing[] {
  return [key === undefined ? "unsigned" : "valid", ...(checksRefusal ? (["wrong", "missing"] as const) : [])];
}

export function signed({ signature, body }: Check, key = ""): ShownDelivery {
  if (signature !== "valid" && signature !== "wrong") return { body, headers: {} };
  // A signature that only a receiver that verifies it can tell from a valid one.
  return { body, headers: { "x-signature": webhookSignature(signature === "valid" ? key : `${key}, changed`, body) } };
}

/** Sends the deliveries in turn until the receiver is not reached. @throws RelayctlError network, if none was sent */
export async function checkTarget(
  target: DeliveryTarget,
  checks: readonly Check[],
  key: string | undefined,
): Promise<Checked[]> {
  const done: Checked[] = [];
  for (const check of checks) {
    const { body, headers } = signed(check, key);
    const received = await target.post(body, headers);
    if (!received.isSent && done.length === 0) throw target.notReached(received);
    done.push({ ...check, received, problem: getProblem(check.signature, received) });
  }
  return done;
}

function getProblem(signature: Signing, { status, problem }: DeliveryResult): string | undefined {
  if (signature === "valid" || signature === "unsigned") return problem;
  if (status === undefined) return problem;
  if (problem === undefined)
    return `the receiver accepts ${signature === "wrong" ? "a wrong signature" : "a delivery without a signature"}`;
  return undefined;
}

export function checksView(
  { event, payloadType }: CatalogEntry,
  { shown }: DeliveryTarget,
  checked: readonly Checked[],
): View {
  const problems = checked.flatMap(({ problem }) => problem ?? []);
  const [first, ...others] = problems;
  return {
    kind: "facts",
    lines: [
      { label: "receiver", value: { text: shown } },
      { label: "event", value: { text: isAmbiguous(event) ? `${event} (${payloadType})` : event } },
      ...checked.map(buildLine),
    ],
    value: {
      url: shown,
      event,
      payload_type: payloadType,
      passed: first === undefined,
      checks: checked.map(({ signature, id, received, problem = null }) => ({
        signature,
        id,
        status: received.status ?? null,
        ms: received.milliseconds,
        passed: problem === null,
        problem,
      })),
    },
    notes: ["note: the ID of each event is new, so the receiver handles it as a new event"],
    ...(first !== undefined && { failure: new RelayctlError("unmet", first, { because: others }) }),
  };
}

/** Returns whether an event has several payload types. */
function isAmbiguous(name: string): boolean {
  return WEBHOOK_EVENTS.filter(({ event }) => event === name).length > 1;
}

const LABELS: Readonly<Record<Signing, string>> = {
  valid: "signed",
  unsigned: "unsigned",
  wrong: "wrong signature",
  missing: "no signature",
};

function buildLine({ signature, received: { status, milliseconds }, problem }: Checked): BlockLine {
  const isAccepted = status !== undefined && status >= 200 && status < 300;
  const text = status === undefined ? "no response" : `${isAccepted ? "accepted" : "refused"}, ${status}`;
  return {
    label: LABELS[signature],
    value: { text: `${text} in ${milliseconds} ms`, tone: problem === undefined ? "good" : "bad" },
  };
}
