import { repeatedCommand, withoutConsent, withoutFlag } from "../../../command-support/repeated-command.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { shellOf } from "../../../command-support/shell/shell-of.ts";
import { isShown } from "../../../command-support/shown.ts";
import { usageError } from "../../../errors.ts";
import { pay, payingAlone } from "../../../payments/run/pay.ts";
import type { Running } from "../../../payments/run/running.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { commandWorld, payerSource } from "./command-world.ts";
import { endedView } from "./ended-view.ts";
import type { PaymentFlags } from "./flags.ts";
import { readPayer } from "./read-payer.ts";
import { showPayments } from "./show-payments.ts";
import type { TypedRun } from "./typed-run.ts";

/** Sends the payments of a file that were not sent before, and shows what became of each. */
export async function runPayments(call: Call<PaymentFlags>, typed: TypedRun): Promise<View> {
  const session = await call.session();
  if (isShown(call)) return await showPayments(call, session, typed);
  const journal = await session.journal();
  if (!journal) {
    const rule = "needs a journal, and none is kept here: specify --state FOLDER, or use a stored context";
    throw usageError([{ where: "tx send-many", rule }]);
  }
  const usualJournal = await session.usualJournal();
  const { relayerId, file } = typed;
  return await payingAlone(journal, file, async (lease) => {
    const running: Running = {
      world: commandWorld(call, session, typed, { journal, usualJournal }),
      lease,
      payerId: { server: session.origin, relayerId },
      payer: await readPayer(payerSource(call, session), typed),
      plan: typed,
      resumeLine: resumeLineOf(call, session, typed),
    };
    return await endedView({ call, session, typed }, running, await pay(running));
  });
}

/** Returns the typed command with `--resume` and its context, without the flags that allow a row to be paid again. */
function resumeLineOf(
  { app, argv, args, common }: Call<PaymentFlags>,
  session: Session,
  { relayerId }: TypedRun,
): string {
  const again = withoutFlag(withoutFlag(withoutConsent(argv), "--again"), "--assume-not-sent", true);
  // Only one argument or flag can have read stdin.
  const words = again.map((word) => (word === "-" && args[0] === "-" ? relayerId : word));
  const isCurrent = common.context === undefined && session.flags[0] === "-c";
  const target = isCurrent ? session.flags.slice(0, 2) : [];
  return repeatedCommand([...target, ...words], ["--resume"], shellOf(app.env));
}
