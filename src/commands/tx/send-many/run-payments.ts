import { repeatedCommand, withoutConsent, withoutFlag } from "../../../command-support/repeated-command.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { shellOf } from "../../../command-support/shell/shell-of.ts";
import { isShown } from "../../../command-support/shown.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import { createRows, type Rows } from "../../../payments/run/rows.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { assumedPayments } from "./assumed.ts";
import { chooseRun } from "./choose-run.ts";
import { endedView } from "./ended-view.ts";
import type { PaymentFlags } from "./flags.ts";
import { type RecordedRun, refuseDamaged, rowsOf } from "./ledger.ts";
import { readPayer } from "./payer.ts";
import type { Paid, Running } from "./running.ts";
import { searchUnsettled } from "./search.ts";
import { sendDue } from "./send-due.ts";
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
  const { relayerId, file } = typed;
  const payerId = { server: session.origin, relayerId };
  const resumeLine = resumeLineOf(call, session, typed);
  let isAlone = false;
  try {
    return await journal.leased(`payments ${file.sha256}`, async (lease) => {
      isAlone = true;
      const payer = await readPayer(call, session, typed);
      return await paidView({ call, session, journal, lease, payerId, payer, typed, resumeLine });
    });
  } catch (error) {
    if (isAlone || !(error instanceof RelayctlError)) throw error;
    if (error.failure !== "conflict") throw error.with({ because: ["nothing was sent"] });
    throw new RelayctlError("conflict", `another process is sending the payments of ${file.name}`, {
      because: ["nothing was sent"],
      retryable: true,
    });
  }
}

async function paidView(running: Running): Promise<View> {
  const { call, journal, payerId, typed, resumeLine } = running;
  const { file, start } = typed;
  await refuseDamaged(journal);
  const recorded = await chooseRun(journal, payerId, { ...typed, resumeLine });
  if (recorded) await call.say(`note: resuming run ${recorded.run}, which began at ${recorded.time}`);
  const rows = await rowsSoFar(running, recorded);
  const assumed = await assumedPayments(call, file, rows, recorded ? start.assumed : []);
  const open = rows.inState("waiting", "refused");
  const paid: Paid = await sendDue(running, { rows, open, assumed, resumed: recorded?.run });
  return await endedView(running, paid);
}

async function rowsSoFar(running: Running, recorded: RecordedRun | undefined): Promise<Rows> {
  const { call, session, journal, payerId, typed } = running;
  const count = typed.file.payments.length;
  if (!recorded) return createRows(count);
  const { run } = recorded;
  const rows = await rowsOf(journal, run, count);
  await searchUnsettled({ call, client: session.client, journal, payerId, run, rows });
  return rows;
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
