import type { Clock } from "../../../client/clock.ts";
import type { Say } from "../../../command-support/call.ts";
import { commonTargetFlags } from "../../../command-support/common-flags.ts";
import { isLocalHost } from "../../../config/connection/origin.ts";
import { ageText, agoText } from "../../../contract/age-text.ts";
import { groupDigits, pluralize } from "../../../contract/decimal.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { ReceivedRequest, ReceiverReply } from "../../../contract/webhook/receiver.ts";
import { interruptedError, RelayctlError, rescue, usageError } from "../../../errors.ts";
import type { Message } from "../../../message.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { ignoreUnreadOutput } from "../../../terminal/streams/output.ts";
import type { View } from "../../../terminal/view.ts";
import { WEBHOOK_TIMEOUT } from "../../../timing.ts";
import { webhookEventView } from "../../../views/delivery.ts";
import { PROM_TEXT, promDeliveriesText } from "../../../views/relayer-status/prom-text.ts";
import { createForwarder, type Forwarded, forwardedStatus, isForwardToSelf } from "../../../webhooks/forward.ts";
import { createIntake, type IntakeResult, intakeHeadProblem, intakeRefusalReply } from "../../../webhooks/intake.ts";
import { copiedRecentText, createRecent, LONGEST_ID } from "../../../webhooks/recent.ts";
import { MAX_RECORD_BYTES, type RecordedDelivery, webhookRecordLine } from "../../../webhooks/record.ts";
import type { Call } from "../../command.ts";
import { createEventPrinter } from "./printed-events.ts";
import { ITSELF, type ListenFlags, type ListenSettings } from "./settings.ts";

/** The bytes of one delivery, and of all in progress. */
const [LARGEST, HELD] = [2 ** 20, 64 * 2 ** 20];

export async function runListen(call: Call<ListenFlags>, settings: ListenSettings): Promise<View> {
  const { app, say } = call;
  const { clock, interrupt } = app;
  const { port, isPublic, deadline, expected } = settings;
  const stop = new AbortController();
  const until = AbortSignal.any([interrupt, stop.signal]);
  const handler = await createHandler(call, settings, { until, end: () => stop.abort("done") });
  const { tally, notices } = handler;
  if (deadline !== undefined) void clock.sleep(deadline, until).then(() => stop.abort("deadline"));
  try {
    await app.receive({
      port,
      isPublic,
      maxBytes: LARGEST,
      maxHeld: HELD,
      interrupt: until,
      refuse(head) {
        if (!isPublic && head.method === "GET" && head.target === "/metrics" && isLocalHost(head.headers.host))
          return { status: 200, headers: { "content-type": PROM_TEXT }, text: promDeliveriesText(tally.heard) };
        const problem = intakeHeadProblem(head);
        if (!problem) return undefined;
        handler.refused(problem.reason);
        return intakeRefusalReply(problem);
      },
      respond: handler.respond,
      lost(why) {
        // At the end, the receiver itself closes open connections.
        if (!until.aborted) handler.refused(why);
      },
      async listening(found) {
        const { forward } = settings;
        if (forward && isForwardToSelf(forward, found))
          throw usageError([{ where: "--forward", given: forward.href, rule: ITSELF }]);
        await announcePort(call, settings, found);
        call.idle(() => ({
          text: waitingText(tally.lastAt, clock.now(), tally.events),
          subject: String(tally.events),
        }));
      },
    });
    await notices.end();
  } finally {
    stop.abort("done");
    await handler.close();
  }
  for (const line of tally.lines(clock.now())) await say(line);
  const missing = handler.missing();
  if (interrupt.aborted && (interrupt.reason !== "interrupted" || missing.length > 0))
    throw interruptedError(" while listening");
  if (missing.length === 0) return { kind: "nothing" };
  const count =
    expected.length === 1 ? "the expected event was" : `${missing.length} of ${expected.length} expected events were`;
  throw new RelayctlError("pending", `${count} not received: ${missing.join(", ")}`);
}

async function announcePort(call: Call, { isPublic, keys }: ListenSettings, port: number): Promise<void> {
  const { say, common } = call;
  const url = `http://127.0.0.1:${port}`;
  await say(
    `listening on ${url}${isPublic ? ", and on all other interfaces" : ", on this machine only"}; press Ctrl-C to stop`,
  );
  if (isPublic) await say(PUBLIC[keys.length > 0 ? "signed" : "unsigned"]);
  else if (keys.length === 0) await say({ note: "no --signing-key-file: signatures are not verified" });
  const [first] = keys;
  const keyFlag = first === undefined ? [] : ["--signing-key-file", first.file];
  const address = isPublic ? `http://HOST:${port}` : url;
  await say({
    next: commandLine(...commonTargetFlags(common), "notifications", "create", "--url", address, ...keyFlag),
  });
}

const PUBLIC = {
  signed: { warning: "other machines can send deliveries to this port; only signed ones are accepted" },
  unsigned: {
    warning:
      "any machine that reaches this port can send events, and nothing shows whether they are genuine; specify --signing-key-file",
  },
};

function waitingText(lastAt: number | undefined, now: number, events: number): string {
  const received = events === 0 ? "" : ` · ${pluralize(events, "event")}`;
  const last = lastAt === undefined ? "" : ` · last delivery ${ageText(now - lastAt)} ago`;
  return `waiting for deliveries${received}${last}`;
}

/** Within this many milliseconds, further lines are only counted. */
const [MOST, WITHIN] = [10, 10_000];

function createNotices(say: Say, clock: Pick<Clock, "sleep">, until: AbortSignal) {
  let left = MOST;
  let isWaiting = false;
  const counts = new Map<string, number>();
  const print = async () => {
    const parts = [...counts].map(([kind, count]) => `${groupDigits(count)} × ${kind}`);
    counts.clear();
    if (parts.length > 0) await say({ note: `and more of the same: ${parts.join(", ")}` });
  };
  const wait = async () => {
    isWaiting = true;
    await clock.sleep(WITHIN, until);
    isWaiting = false;
    left = MOST;
    await print();
  };
  return {
    async add(kind: string, line: string) {
      // A failed line ends the command when it awaits the next one.
      if (!isWaiting) wait().catch(() => {});
      if (left > 0) {
        left--;
        await say(line);
      } else counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    end: print,
  };
}

/** Returns a function that forwards a delivery and returns the status, except for repeats of accepted events. */
async function createForwarding(
  { app, say }: Call,
  { forward: url }: ListenSettings,
  { until, tally }: { until: AbortSignal; tally: ReturnType<typeof createTally> },
): Promise<((id: string, delivery: ReceivedRequest) => Promise<number>) | undefined> {
  if (!url) return undefined;
  const transport = await app.network({ origin: url.origin, caCertificates: [] });
  const post = createForwarder({ url, transport, clock: app.clock, timeout: WEBHOOK_TIMEOUT, interrupt: until });
  const pending = new Map<string, Promise<Forwarded>>();
  const accepted = createRecent<number>();
  const sent = async (id: string, delivery: ReceivedRequest) => {
    const forwarded = await post(delivery);
    if (isDelivered(forwarded)) accepted.set(id, forwardedStatus(forwarded));
    tally.forwarded(forwarded);
    await say(forwardedLine(id, forwarded));
    return forwarded;
  };
  return async (id, delivery) => {
    const before = accepted.get(id);
    if (before !== undefined) return before;
    const sending = pending.get(id) ?? sent(id, delivery).finally(() => pending.delete(id));
    pending.set(id, sending);
    return forwardedStatus(await sending);
  };
}

/** Returns `forwarded e2b1…: 200 in 12 ms`. */
function forwardedLine(id: string, forwarded: Forwarded): Message {
  const time = `${Math.round(forwarded.milliseconds)} ms`;
  if (!("status" in forwarded))
    return { warning: `${id} was not accepted by its target: ${forwarded.problem} (${time})` };
  const { status } = forwarded;
  if (isDelivered(forwarded)) return `forwarded ${id}: ${status} in ${time}`;
  const redirect = status >= 300 && status < 400 ? ", a redirect, which is not followed" : "";
  return { warning: `${id} was refused by its target: ${status}${redirect} (${time})` };
}

const MOST_TYPES = 5;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Creates the handler of deliveries, which validates, prints, records, and forwards. @param end called at the end */
async function createHandler(
  call: Call<ListenFlags>,
  settings: ListenSettings,
  { until, end }: { until: AbortSignal; end(): void },
) {
  const { clock } = call.app;
  const { keys, tolerance, delay, respond } = settings;
  const take = createIntake({ keys: keys.map(({ text }) => text), tolerance, now: () => clock.now() });
  const recorder = settings.record === undefined ? undefined : await openRecorder(call, settings.record);
  const tally = createTally(keys.map(({ file }) => file));
  const notices = createNotices(call.say, clock, until);
  const awaited = createExpectations(settings.expected);
  const { print, isOver } = await createPrinting(call, settings, { notices, awaited, end });
  const forwarding = await createForwarding(call, settings, { until, tally });
  const noteType = createTypeNotes(call.say);
  return {
    tally,
    notices,
    missing: awaited.missing,
    refused(reason: string) {
      tally.refused(reason);
      notices.add(reason, `refused: ${reason}`).catch(() => {});
    },
    async respond(delivery: ReceivedRequest): Promise<ReceiverReply> {
      // An event that is not shown is not received: its sender tries again.
      if (isOver()) return { status: 503, headers: {}, text: "" };
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
      if (taken.kind === "refused") return intakeRefusalReply(taken);
      await noteType(delivery.headers["content-type"]);
      const passed = forwarding && (await forwarding(taken.kind === "repeat" ? taken.id : taken.accepted.id, delivery));
      if (delay > 0) await clock.sleep(delay, until);
      return { status: respond ?? passed ?? 200, headers: {}, text: "" };
    },
    async close() {
      await recorder?.close();
    },
  };
}

interface Printing {
  notices: ReturnType<typeof createNotices>;
  awaited: ReturnType<typeof createExpectations>;
  end(): void;
}

/** Returns a function that prints an event unless it is filtered out, in order: it begins synchronously. */
async function createPrinting(call: Call<ListenFlags>, settings: ListenSettings, { notices, awaited, end }: Printing) {
  const { where, expected, limit } = settings;
  const printer = await createEventPrinter(call, settings);
  let printed = 0;
  let isOver = false;
  const show = (taken: IntakeResult & { kind: "event" }, isSigned: boolean) => {
    const known = printer.known(taken.accepted, isSigned);
    const isExpected = expected.length > 0 && awaited.see(known.item);
    if (!isExpected && !where.every((holds) => holds(known.item))) return;
    printed++;
    isOver = printed === limit || (isExpected && awaited.missing().length === 0);
    const printing = printer.print(known);
    const shown = expected.length > 0 ? printing.catch(ignoreUnreadOutput) : printing;
    return isOver ? shown.then(end) : shown;
  };
  return {
    isOver: () => isOver,
    print(taken: IntakeResult, { headers }: ReceivedRequest) {
      if (taken.kind === "event") return show(taken, headers["x-signature"] !== undefined);
      if (taken.kind === "refused") return notices.add(taken.reason, `refused with ${taken.status}: ${taken.reason}`);
      return notices.add("repeat", `repeat of ${taken.id}, delivery ${taken.count}`);
    },
  };
}

function createTypeNotes(say: Say): (type: string | undefined) => Promise<void> {
  const types = new Set<string>();
  return async (type) => {
    if (type === undefined || JSON_TYPE.test(type) || types.has(type) || types.size === MOST_TYPES) return;
    types.add(type);
    await say({ note: `content type ${type}, not application/json` });
  };
}

function createExpectations(expected: ListenSettings["expected"]) {
  let open = expected;
  return {
    see(item: JsonObject) {
      const before = open.length;
      open = open.filter(({ condition }) => !condition(item));
      return open.length < before;
    },
    missing: () => open.map(({ text }) => text),
  };
}

async function openRecorder({ app, say }: Call, path: string) {
  const file = await app.files.extend(path);
  let isOff = false;
  const stop = async (why: string) => {
    if (isOff) return;
    isOff = true;
    await say({ warning: `${why}; further deliveries are not recorded` });
  };
  return {
    async add(delivery: RecordedDelivery) {
      if (isOff) return;
      const line = app.secrets.redact(webhookRecordLine(app.secrets.masked(delivery)));
      if (file.size + Buffer.byteLength(line) > MAX_RECORD_BYTES)
        return await stop(`${path} is full (${MAX_RECORD_BYTES / 2 ** 20} MiB)`);
      await rescue(file.add(line), ({ message }) => stop(message));
    },
    close: file.close,
  };
}

/** The relayers whose last event is a metric. */
const MOST_HEARD = 10_000;

function createTally(files: readonly string[]) {
  let [events, late, repeats] = [0, 0, 0];
  let lastAt: number | undefined;
  const refusals = new Map<string, number>();
  const keys = files.map((file) => ({ file, count: 0, lastAt: 0 }));
  const targets = { delivered: 0, failed: 0 };
  const heard = new Map<string, number>();
  const hear = (event: JsonObject, now: number) => {
    const relayer = webhookEventView.derived?.relayer_id?.value(event, now);
    if (typeof relayer !== "string" || relayer.length > LONGEST_ID) return;
    if (heard.has(relayer) || heard.size < MOST_HEARD) heard.set(copiedRecentText(relayer), now);
  };
  const refused = (reason: string) => void refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
  return {
    get events() {
      return events;
    },
    get lastAt() {
      return lastAt;
    },
    heard,
    refused,
    taken(taken: IntakeResult, now: number) {
      if (taken.kind === "refused") return refused(taken.reason);
      if (taken.kind === "repeat") repeats++;
      else {
        events++;
        if (taken.accepted.isLate) late++;
        hear(taken.accepted.event, now);
      }
      lastAt = now;
      const key = keys[(taken.kind === "repeat" ? taken.key : taken.accepted.key) ?? -1];
      if (!key) return;
      key.count++;
      key.lastAt = now;
    },
    forwarded(forwarded: Forwarded) {
      if (isDelivered(forwarded)) targets.delivered++;
      else targets.failed++;
    },
    lines(now: number): Message[] {
      const row = (label: string, text: string) => ({ row: ["  ", label, " ".repeat(11 - label.length), text] });
      const isUsed = targets.delivered + targets.failed > 0;
      const total = [...refusals.values()].reduce((sum, count) => sum + count, 0);
      const reasons = [...refusals].map(([reason, count]) => `${groupDigits(count)} ${reason}`);
      return [
        `received ${pluralize(events, "event")}${late > 0 ? `, ${groupDigits(late)} late` : ""}; ${pluralize(repeats, "repeat")}, ${groupDigits(total)} refused`,
        ...(lastAt === undefined ? [] : [row("last", agoText(now - lastAt))]),
        ...(total === 0 ? [] : [row("refused", reasons.join(", "))]),
        ...(isUsed
          ? [row("forwarded", `${groupDigits(targets.delivered)} accepted, ${groupDigits(targets.failed)} failed`)]
          : []),
        ...keys.map((key, index) => row(`key ${index + 1}`, keyText(key, now))),
      ];
    },
  };
}

function keyText({ file, count, lastAt }: { file: string; count: number; lastAt: number }, now: number): string {
  if (count === 0) return `${file}: not used`;
  return `${file}: ${pluralize(count, "delivery", "deliveries")}, the last one ${agoText(now - lastAt)}`;
}

function isDelivered(forwarded: Forwarded): boolean {
  return "status" in forwarded && forwarded.status >= 200 && forwarded.status < 300;
}
