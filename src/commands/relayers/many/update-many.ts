import type { ApiResult } from "../../../client/api-result.ts";
import type { Client } from "../../../client/client.ts";
import { spelledFor } from "../../../client/respell.ts";
import type { Completed, Job } from "../../../command-support/bulk/run.ts";
import { bulkView } from "../../../command-support/bulk/view.ts";
import { runWrites } from "../../../command-support/bulk/writes.ts";
import { askConsent } from "../../../command-support/consent/consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { withHint } from "../../../command-support/receipt.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { type DiffFlag, isShown, showRequests } from "../../../command-support/shown.ts";
import { operations } from "../../../contract/operations.ts";
import type { Relayer, UpdateRelayerRequest } from "../../../contract/resources/relayer.ts";
import type { ListView, View } from "../../../terminal/view.ts";
import type { BulkFlags } from "../../bulk/flags.ts";
import type { Targets } from "../../bulk/targets.ts";
import type { Call } from "../../command.ts";
import { holdsAlready } from "../../read-before.ts";
import { relayerView } from "../view.ts";
import { targetSymbols } from "./coins.ts";
import { capLines, manyLines, manyQuestion, requireConsentForMany } from "./consent.ts";
import { kindsLine } from "./kinds.ts";
import { movedList, type Shortfall } from "./moved-list.ts";
import { manyReceipt } from "./receipt.ts";
import { type ManyChange, manyTargets, type Target } from "./targets.ts";
import { openUndoFile, type UndoFile } from "./undo-file.ts";

/** Changes many relayers after one prompt, several at a time, and returns each in its new state. */
export async function updateMany(
  call: Call<BulkFlags & DiffFlag>,
  { ids, throttle }: Targets,
  change: ManyChange,
): Promise<View> {
  if (!isShown(call)) requireConsentForMany(call);
  const undoFile = isShown(call) ? undefined : await openUndoFile(call);
  try {
    const { targets, moved } = await manyTargets(call, { ids }, change);
    const shortfall = moved && movedList;
    return await updateTargets(call, { targets, shortfall, throttle, undoFile, reads: !ids });
  } catch (error) {
    await undoFile?.end();
    throw error;
  }
}

/** Ends a change that does not reach all relayers: missing relayers stay unchanged, which is a failure. */
function endingWith(
  call: Call,
  view: ListView,
  done: Promise<readonly Completed<ApiResult<Relayer>>[]>,
  { words, failure }: Shortfall,
): ListView {
  return {
    ...view,
    async ending() {
      const ending = (await view.ending?.()) ?? {};
      const completed = await done;
      return { ...ending, failure: ending.failure?.with({ because: [words] }) ?? failure(call, completed) };
    },
  };
}

/** The relayers of a change, each with its body. */
interface Planned extends Pick<Targets, "throttle"> {
  targets: readonly Target[];
  shortfall?: Shortfall | undefined;
  undoFile?: UndoFile | undefined;
  /** Whether they were selected from the list. */
  reads: boolean;
}

/** Shows the changes, asks, and sends them, several at a time. */
export async function updateTargets(
  call: Call<DiffFlag>,
  { targets, shortfall, throttle, undoFile, reads }: Planned,
): Promise<View> {
  const session = await call.session();
  const { diff = false } = call.flags;
  if (shortfall) await call.say(`note: ${shortfall.words}`);
  const symbols = await targetSymbols(call, targets);
  const kinds = kindsLine(targets);
  const lines = targets.length > 0 ? manyLines(session, targets, { diff, symbols }) : [];
  const unconfirmedLines = diff ? lines : [...(kinds === undefined ? [] : [`note: ${kinds}`]), ...capLines(targets)];
  if (isShown(call)) {
    await writeLines(call, unconfirmedLines);
    return await showRequests(
      call,
      targets.map((target) => spelledFor(apiRequestOf(target), target.before)),
      reads || diff,
    );
  }
  const wasPrompted = targets.length > 0 && (await askConsent(call, manyQuestion(session, targets), lines));
  if (!wasPrompted) await writeLines(call, unconfirmedLines);
  const { interrupt } = call.app;
  const run = runWrites(call, session, throttle, (client) =>
    targets.map((target) => jobFor(target, { client, session, undoFile })),
  );
  const receipt = async (completed: readonly Completed<ApiResult<Relayer>>[]) =>
    manyReceipt(completed, targets, { session, symbols, kept: await undoFile?.end() });
  const view = bulkView({ run, resource: relayerView, session, interrupt, receipt });
  return shortfall ? endingWith(call, view, run.done, shortfall) : view;
}

function apiRequestOf({ id, body }: Target) {
  return { operation: operations["relayers.update"], parameters: { relayer_id: id }, body };
}

interface Sending {
  client: Client;
  session: Session;
  undoFile: UndoFile | undefined;
}

function jobFor(target: Target, { client, session, undoFile }: Sending): Job<ApiResult<Relayer>> {
  const { id, body, before } = target;
  const send = () => changed(target, client, session);
  if (!before || !holdsAlready(body, before))
    return { id, run: undoFile ? () => undoFile.keeping(target, send) : send };
  return { id, already: true, run: async () => ({ data: before, body: NOTHING, unconfirmed: [] }) };
}

async function changed(target: Target, client: Client, { flags }: Session): Promise<ApiResult<Relayer>> {
  const { id, before } = target;
  const { body } = spelledFor(apiRequestOf(target), before);
  const sent = client.relayers.update(id, body as UpdateRelayerRequest, { before });
  const result = await withHint(sent, () => commandLine(...flags, "relayers", "get", id));
  // The body is not shown, and there may be very many.
  return { ...result, body: NOTHING };
}

const NOTHING = new Uint8Array();
