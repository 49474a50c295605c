import type { Client } from "../../../client/client.ts";
import { createPace } from "../../../client/pace.ts";
import { createSharedEnds } from "../../../client/shared-ends.ts";
import { operations } from "../../../contract/operations.ts";
import type { UpdateRelayerRequest } from "../../../contract/relayer.ts";
import { type Landed, runAll } from "../../../flow/bulk/run.ts";
import { bulkView } from "../../../flow/bulk/view.ts";
import { askConsent } from "../../../flow/consent.ts";
import { sayAll, withHint } from "../../../flow/perform.ts";
import type { Session } from "../../../flow/session.ts";
import { commandLine } from "../../../flow/shell-words.ts";
import { type DiffFlag, isShown, showRequests } from "../../../flow/shown.ts";
import type { View } from "../../../terminal/view.ts";
import type { BulkFlags } from "../../bulk/flags.ts";
import type { Targets } from "../../bulk/targets.ts";
import type { Call } from "../../command.ts";
import { holdsAlready } from "../../holds-already.ts";
import { relayerView } from "../view.ts";
import { manyLines, manyQuestion, refuseManyUnasked } from "./consent.ts";
import { type Changed, manyReceipt } from "./receipt.ts";
import { type ManyChange, manyTargets, type Target } from "./targets.ts";

/** Changes many relayers after one question, several at a time, and gives each as it is then. */
export async function updateMany(
  call: Call<BulkFlags & DiffFlag>,
  { ids, pace }: Targets,
  change: ManyChange,
): Promise<View> {
  if (!isShown(call)) refuseManyUnasked(call);
  const targets = await manyTargets(call, { ids }, change);
  const session = await call.session();
  const { diff = false } = call.flags;
  const lines = targets.length > 0 ? manyLines(session, targets, diff) : [];
  if (isShown(call)) {
    if (diff) await sayAll(call, lines);
    return await showRequests(call, targets.map(askOf), !ids || diff);
  }
  const wasAsked = targets.length > 0 && (await askConsent(call, manyQuestion(session, targets), lines));
  if (diff && !wasAsked) await sayAll(call, lines);
  const client = session.inBulk({ ends: createSharedEnds(call.app.clock) });
  const limit = createPace(call.app.clock, pace.gap);
  const { interrupt } = call.app;
  const jobs = targets.map((target) => ({ id: target.id, run: () => changed(target, client, session) }));
  const run = runAll(jobs, { concurrency: pace.concurrency, interrupt, turn: limit.turn });
  const receipt = (landed: readonly Landed<Changed>[]) => manyReceipt(landed, targets, session);
  return bulkView({ run, resource: relayerView, session, interrupt, receipt });
}

function askOf({ id, body }: Target) {
  return { operation: operations["relayers.update"], parameters: { relayer_id: id }, body };
}

async function changed({ id, body, before }: Target, client: Client, { flags }: Session): Promise<Changed> {
  if (before && holdsAlready(body, before)) return { data: before, body: NOTHING, unconfirmed: [], already: true };
  const sent = client.relayers.update(id, body as UpdateRelayerRequest);
  const answer = await withHint(sent, () => commandLine(...flags, "relayers", "get", id));
  // Nothing shows it, and there may be very many.
  return { ...answer, body: NOTHING };
}

const NOTHING = new Uint8Array();
