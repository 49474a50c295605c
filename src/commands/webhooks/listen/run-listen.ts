import { targetFlags } from "../../../command-support/common-flags.ts";
import { ageText } from "../../../contract/age-text.ts";
import { counted } from "../../../contract/decimal.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import { isOwnAddress } from "../../../webhooks/forward.ts";
import { headProblem, refusalReply } from "../../../webhooks/intake.ts";
import type { Call } from "../../command.ts";
import { createHandler } from "./handle-delivery.ts";
import { ITSELF, type ListenFlags, type ListenSettings } from "./settings.ts";

/** The bytes of one delivery, and of all that are in progress. */
const [LARGEST, HELD] = [2 ** 20, 64 * 2 ** 20];

/** Receives deliveries until Ctrl-C, the deadline, or the last of the expected events. */
export async function runListen(call: Call<ListenFlags>, settings: ListenSettings | undefined): Promise<View> {
  if (!settings) return { kind: "nothing" };
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
        const problem = headProblem(head);
        if (!problem) return undefined;
        handler.refused(problem.reason);
        return refusalReply(problem);
      },
      respond: handler.respond,
      lost(why) {
        // At the end, the receiver itself cuts what is open.
        if (!until.aborted) handler.refused(why);
      },
      async listening(found) {
        const { forward } = settings;
        if (forward && isOwnAddress(forward, found))
          throw usageError([{ where: "--forward", given: forward.href, rule: ITSELF }]);
        await announce(call, settings, found);
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
    throw new RelayctlError("interrupted", "interrupted while listening");
  if (missing.length === 0) return { kind: "nothing" };
  const count =
    expected.length === 1 ? "the expected event was" : `${missing.length} of ${expected.length} expected events were`;
  throw new RelayctlError("pending", `${count} not received: ${missing.join(", ")}`);
}

async function announce(call: Call, { isPublic, keys }: ListenSettings, port: number): Promise<void> {
  const { say, common } = call;
  const url = `http://127.0.0.1:${port}`;
  await say(
    `listening on ${url}${isPublic ? ", and on all other interfaces" : ", on this machine only"}; press Ctrl-C to stop`,
  );
  if (isPublic) await say(PUBLIC[keys.length > 0 ? "signed" : "unsigned"]);
  else if (keys.length === 0) await say("note: no --signing-key-file: signatures are not verified");
  const [first] = keys;
  const keyFlag = first === undefined ? [] : ["--signing-key-file", first.file];
  const address = isPublic ? `http://HOST:${port}` : url;
  await say(`next: ${commandLine(...targetFlags(common), "notifications", "create", "--url", address, ...keyFlag)}`);
}

const PUBLIC = {
  signed: "warning: other machines can send deliveries to this port; only signed ones are accepted",
  unsigned:
    "warning: any machine that reaches this port can send events, and nothing shows whether they are genuine; specify --signing-key-file",
};

function waitingText(lastAt: number | undefined, now: number, events: number): string {
  const received = events === 0 ? "" : ` · ${counted(events, "event")}`;
  const last = lastAt === undefined ? "" : ` · last delivery ${ageText(now - lastAt)} ago`;
  return `waiting for deliveries${received}${last}`;
}
