import { createIntake, refusalReply, type Taken } from "../../../webhooks/intake.ts";
import type { ReceivedRequest, ReceiverReply } from "../../../webhooks/receiver.ts";
import type { Call } from "../../command.ts";
import { createExpectations } from "./expectations.ts";
import { createForwarding } from "./forwarding.ts";
import { createNotices, type Notices } from "./notices.ts";
import { createEventPrinter } from "./printed-events.ts";
import { openRecorder } from "./recorder.ts";
import type { ListenFlags, ListenSettings } from "./settings.ts";
import { createTally, type Tally } from "./tally.ts";

export interface DeliveryHandler {
  respond(delivery: ReceivedRequest): Promise<ReceiverReply>;
  /** Reports what never became a delivery. */
  refused(reason: string): void;
  /** Returns the conditions that no event has met. */
  missing(): readonly string[];
  close(): Promise<void>;
  tally: Tally;
  notices: Notices;
}

/** The different content types that are reported. */
const MOST_TYPES = 5;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Creates what handles each delivery: validates, prints, records, and forwards it, and returns the response to it.
 * @param end called when nothing more is to be received
 */
export async function createHandler(
  call: Call<ListenFlags>,
  settings: ListenSettings,
  { until, end }: { until: AbortSignal; end(): void },
): Promise<DeliveryHandler> {
  const { app, say } = call;
  const { clock } = app;
  const { keys, tolerance, where, expected, limit, delay, respond } = settings;
  const printer = await createEventPrinter(call, settings);
  const take = createIntake({ keys: keys.map(({ text }) => text), tolerance, now: () => clock.now() });
  const recorder = settings.record === undefined ? undefined : await openRecorder(call, settings.record);
  const tally = createTally(keys.map(({ file }) => file));
  const notices = createNotices(say, clock, until);
  const expectations = createExpectations(expected);
  const forwarding = await createForwarding(call, settings, { until, tally });
  const types = new Set<string>();
  let printed = 0;

  const noteType = async (type: string) => {
    if (types.has(type) || types.size === MOST_TYPES) return;
    types.add(type);
    await say(`note: content type ${type}, not application/json`);
  };

  /** Prints an event, unless it is filtered out. Begins synchronously, so that events stay in order. */
  const show = (taken: Taken & { kind: "event" }, isSigned: boolean) => {
    const known = printer.known(taken.accepted, isSigned);
    const isExpected = expected.length > 0 && expectations.see(known.item);
    if (!isExpected && !where.every((holds) => holds(known.item))) return;
    if (printed === limit) return;
    printed++;
    const isLast = printed === limit || (isExpected && expectations.missing().length === 0);
    return isLast ? printer.print(known).then(end) : printer.print(known);
  };

  const print = (taken: Taken, { headers }: ReceivedRequest) => {
    if (taken.kind === "event") return show(taken, headers["x-signature"] !== undefined);
    if (taken.kind === "refused") return notices.add(taken.reason, `refused with ${taken.status}: ${taken.reason}`);
    return notices.add("repeat", `repeat of ${taken.id}, delivery ${taken.count}`);
  };

  return {
    tally,
    notices,
    missing: expectations.missing,
    refused(reason) {
      tally.refused(reason);
      notices.add(reason, `refused: ${reason}`).catch(() => {});
    },
    async respond(delivery) {
      const taken = take(delivery);
      const now = clock.now();
      tally.taken(taken, now);
      const recorded = recorder?.add({
        receivedAt: new Date(now).toISOString(),
        method: delivery.method,
        path: delivery.target,
        headers: delivery.headers,
        body: delivery.body,
        accepted: taken.kind !== "refused",
      });
      const printed = print(taken, delivery);
      await (recorded ? Promise.all([printed, recorded]) : printed);
      if (taken.kind === "refused") return refusalReply(taken);
      const type = delivery.headers["content-type"];
      if (type !== undefined && !JSON_TYPE.test(type)) await noteType(type);
      const passed = forwarding && (await forwarding(taken.kind === "repeat" ? taken.id : taken.accepted.id, delivery));
      if (delay > 0) await clock.sleep(delay, until);
      return { status: respond ?? passed ?? 200, headers: {}, text: "" };
    },
    async close() {
      await recorder?.close();
    },
  };
}
