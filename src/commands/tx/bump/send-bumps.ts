import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { failureOfMany } from "../../../command-support/bulk/failure.ts";
import { type Completed, runAll } from "../../../command-support/bulk/run.ts";
import { nextWords, receiptWords } from "../../../command-support/receipt-words.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { isShownInCoin } from "../../../contract/amount.ts";
import type { Ending, ListView, Page, View } from "../../../terminal/view.ts";
import { drawnSymbol } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { transactionViewIn } from "../record/view.ts";
import type { Bumped, BumpSending } from "./bump-now.ts";
import { bumpOne } from "./bump-one.ts";
import { oneView, targetOf } from "./bumped-view.ts";
import type { BumpPlan } from "./flags.ts";

/** Sends bumps one after another, in their order, and shows what became of them. */
export async function sendBumps(call: Call, plan: BumpPlan, bumps: readonly ForeseenBump[]): Promise<View> {
  const { client } = await call.session();
  const { wait, repetition } = plan;
  const { speed, maxFee, raising } = plan;
  const sending: BumpSending = { client, wait, speed, maxFee, raising, isOneOfMany: bumps.length > 1 };
  if (repetition) {
    const { bumpUntilMined } = await import("./until-mined.ts");
    return await bumpUntilMined(call, { wait, maxFee, speed, raising, repetition, sending }, bumps);
  }
  const [first, ...more] = bumps;
  if (first && more.length === 0) return await sendOne(call, first, sending);
  const { interrupt } = call.app;
  const jobs = bumps.map((bump) => ({ id: bump.record.id, run: () => bumpOne(call, bump, sending) }));
  const endsAll = ({ failure }: { failure: string }) => failure === "rate_limited";
  const completed = await runAll(jobs, { concurrency: 1, interrupt, endsAll }).done;
  const view = await manyView(call, bumps, completed, wait !== undefined);
  if (!wait) return view;
  const targets = completed.flatMap(({ value }) => (value ? [targetOf(value)] : []));
  const { followMany } = await import("../wait/after-write.ts");
  return await followMany(call, view, { targets, plan: wait });
}

async function sendOne(call: Call, bump: ForeseenBump, sending: BumpSending): Promise<View> {
  const { relayerId, record: before, request } = bump;
  const bumped = await bumpOne(call, bump, sending);
  const { wait } = sending;
  const view = await oneView(call, bumped, wait !== undefined);
  if (!wait) return view;
  const { followWrite } = await import("../wait/after-write.ts");
  const wanted = request.change === "cancel" ? "cancellation" : "version";
  // Another command may have replaced or canceled it since: then the newest record shows that version.
  return await followWrite(call, view, { relayerId, plan: wait, before, wanted, requested: bumped.data });
}

async function manyView(
  call: Call,
  bumps: readonly ForeseenBump[],
  completed: readonly Completed<Bumped>[],
  isFollowed: boolean,
): Promise<ListView> {
  const { name, flags } = await call.session();
  const relayers = [...new Set(bumps.map(({ relayerId }) => relayerId))];
  const [only = ""] = relayers;
  const isDrawn = relayers.length === 1 && bumps.some(({ record }) => isShownInCoin(record.value));
  const symbol = isDrawn ? await drawnSymbol(call, only) : undefined;
  const accepted = completed.flatMap(({ value }) => value ?? []);
  const next = relayers.length === 1 ? ["tx", "wait", only, ...accepted.map(({ bump }) => bump.record.id)] : undefined;
  const judged = completed.map((each) => (each.value?.failure ? { id: each.id, error: each.value.failure } : each));
  const failure = failureOfMany(isFollowed ? completed : judged, "transactions", call.app.interrupt);
  const sent = accepted.filter(({ broadcast: { state } }) => state === "on_its_way" || state === "over").length;
  const ending: Ending = {
    ...(accepted.length > 0 && { receipt: [receiptWords.bumps(name, [accepted.length, bumps.length, sent])] }),
    ...(next && accepted.length > 0 && !isFollowed && { next: [nextWords.follow(commandLine(...flags, ...next))] }),
    ...(failure && { failure }),
  };
  return {
    kind: "list",
    resource: transactionViewIn(() => symbol),
    pages: onePage(accepted),
    where: name,
    flags,
    inOrder: true,
    nothing: null,
    ending: async () => ending,
  };
}

async function* onePage(accepted: readonly Bumped[]): AsyncGenerator<Page> {
  for (const { broadcast, body } of accepted) yield { items: [broadcast.record], total: undefined, body };
}
