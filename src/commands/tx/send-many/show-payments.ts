import { writeLines } from "../../../command-support/prepared-write.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { showRequests } from "../../../command-support/shown.ts";
import { operations } from "../../../contract/operations.ts";
import { refuseUnpayable } from "../../../payments/run/due.ts";
import { mostOffset } from "../../../payments/run/fingerprint.ts";
import { gasOf } from "../../../payments/run/gas.ts";
import { dueOf } from "../../../payments/run/plan.ts";
import { requestOf } from "../../../payments/run/send.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { payerSource, readingWorld } from "./command-world.ts";
import { payerLines } from "./payer.ts";
import { readPayer } from "./read-payer.ts";
import type { TypedRun } from "./typed-run.ts";

/** Shows what a new run would send, and sends nothing. The relayer and its node are read. */
export async function showPayments(call: Call, session: Session, typed: TypedRun): Promise<View> {
  const { relayerId, file, pace } = typed;
  const { payments } = file;
  const payer = await readPayer(payerSource(call, session), typed);
  const due = dueOf(file, payments);
  const world = readingWorld(call, session, typed);
  const balance = await refuseUnpayable(world, payer, due);
  const most = mostOffset(payments.length);
  const rules = { relayer: payer.relayer, concurrency: pace.concurrency, mostOffset: most, placeText: file.placeText };
  const gas = await gasOf(world, payments, rules);
  await writeLines(call, await payerLines(call, session, { ...due, payer, gas, balance }));
  await call.say(`note: each gas limit is raised by a number up to ${most} that no other row has`);
  const requests = Array.from(payments, (payment, index) => ({
    operation: operations["tx.send"],
    parameters: { relayer_id: relayerId },
    body: requestOf(payment, gas[index] ?? 0).body,
  }));
  return await showRequests(call, requests, true);
}
