import { writeLines } from "../../../command-support/prepared-write.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { showRequests } from "../../../command-support/shown.ts";
import { operations } from "../../../contract/operations.ts";
import { mostOffset } from "../../../payments/run/fingerprint.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { gasOf } from "./gas.ts";
import { type Due, payerLines, readPayer, refuseUnpayable } from "./payer.ts";
import { requestOf } from "./send.ts";
import type { TypedRun } from "./typed-run.ts";

/** Shows what a new run would send, and sends nothing. The relayer and its node are read. */
export async function showPayments(call: Call, session: Session, typed: TypedRun): Promise<View> {
  const { relayerId, file, pace } = typed;
  const { payments } = file;
  const payer = await readPayer(call, session, typed);
  const due: Due = { file, payments, sum: file.total };
  const balance = await refuseUnpayable(call, session, payer, due);
  const { client } = session;
  const most = mostOffset(payments.length);
  const rules = { client, relayer: payer.relayer, concurrency: pace.concurrency, mostOffset: most, file: file.name };
  const gas = await gasOf(call, payments, rules);
  await writeLines(call, await payerLines(session, payer, due, { gas, balance }));
  await call.say(`note: each gas limit is raised by a number up to ${most} that no other row has`);
  const requests = payments.map((payment, index) => ({
    operation: operations["tx.send"],
    parameters: { relayer_id: relayerId },
    body: requestOf(payment, Number(gas[index])).body,
  }));
  return await showRequests(call, requests, true);
}
