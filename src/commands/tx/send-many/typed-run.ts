import { resolve } from "node:path";
import type { Problems } from "../../../contract/problems.ts";
import { LARGEST_FILE, readPayments } from "../../../payments/file/read-payments.ts";
import type { PaymentFile } from "../../../payments/payment.ts";
import { AS_FLAGS, type RunPlan } from "../../../payments/run/running.ts";
import { readInputBytes } from "../../../session/input-file.ts";
import { addressInLabels, readLabels } from "../../../session/labels.ts";
import { type Call, refuseRaw } from "../../command.ts";
import { type WaitPlan, writeWaitPlan } from "../wait/flags.ts";
import { type PaymentFlags, sendManyPace, sendManyStart } from "./flags.ts";

export interface TypedRun extends RunPlan {
  wait: WaitPlan | undefined;
  report: string | undefined;
}

export async function typedRun(call: Call<PaymentFlags>, problems: Problems, relayerId: string): Promise<TypedRun> {
  const { flags } = call;
  refuseRaw(call, problems, "this sends several");
  if (flags.state === "") problems.add("--state", "is empty");
  const typed = {
    relayerId,
    path: resolve(flags.file ?? ""),
    pace: sendManyPace(flags, problems),
    start: sendManyStart(flags, problems),
    wait: writeWaitPlan(call, problems),
    report: flags.report,
  };
  if (flags.report !== undefined) await validateReport(call, problems, flags.report);
  const file = await problems.gather(() => readFile(call, problems));
  // With a problem, nothing is run.
  return { ...typed, file: file as PaymentFile };
}

/** The size of a file with about 1,000 payments, above which memory matters more than time. */
const MANY_BYTES = 2 ** 16;

async function readFile({ app, flags }: Call<PaymentFlags>, problems: Problems): Promise<PaymentFile | undefined> {
  const { file: name, speed, abi, allowDuplicates = false } = flags;
  if (name === undefined) problems.add("--file", "is required: a CSV or NDJSON file of payments");
  else if (name === "-") problems.add("--file", "must be a file, since a run that stopped reads it again");
  if (name === undefined || name === "-") return undefined;
  const labels = await readLabels(app);
  const bytes = await readInputBytes(app, name, LARGEST_FILE);
  if (bytes.length > MANY_BYTES) app.manyPass();
  const { readAbiFile } = await import("../../../session/abis.ts");
  return await readPayments(
    { name, bytes },
    {
      defaults: speed === undefined ? {} : { speed },
      now: app.clock.now(),
      addressOf: (typed) => addressInLabels(labels, "evm", typed),
      allowDuplicates,
      spelling: AS_FLAGS,
      ...(abi !== undefined && { abi: await readAbiFile(app, abi) }),
    },
  );
}

async function validateReport({ app }: Call, problems: Problems, path: string): Promise<void> {
  const { reportProblem } = await import("../../../payments/report/write-report.ts");
  const rule = await problems.gather(() => reportProblem(app, path));
  if (rule !== undefined) problems.add("--report", rule, path);
}
