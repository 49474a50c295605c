import type { ApiResult } from "../../../client/api-result.ts";
import type { Completed, Job } from "../../../client/bulk/run-all.ts";
import { bulkVerbs } from "../../../client/bulk/verbs.ts";
import type { Client } from "../../../client/client.ts";
import { spelledFor } from "../../../client/respell.ts";
import { bulkView } from "../../../command-support/bulk/view.ts";
import { runWrites } from "../../../command-support/bulk/writes.ts";
import { askConsent } from "../../../command-support/consent/consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { withHint } from "../../../command-support/receipt.ts";
import { type DiffFlag, isShown, showRequests } from "../../../command-support/shown.ts";
import { grouped } from "../../../contract/decimal.ts";
import { operations } from "../../../contract/operations.ts";
import type { Relayer, UpdateRelayerRequest } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { nextWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { ListView, View } from "../../../terminal/view.ts";
import { relayerView } from "../../../views/relayer.ts";
import type { BulkFlags } from "../../bulk/flags.ts";
import type { Targets } from "../../bulk/targets.ts";
import type { Call } from "../../command.ts";
import { changeVerbs } from "../change/verb.ts";
import { targetSymbols } from "./coins.ts";
import { capLines, countOf, manyLines, manyQuestion, requireConsentForMany, typedCountOf, verbFor } from "./consent.ts";
import { kindsLine } from "./kinds.ts";
import { movedList, type Shortfall } from "./moved-list.ts";
import { manyReceipt } from "./receipt.ts";
import { type ManyChange, manyTargets, needsChange, type Target, withDoubts } from "./targets.ts";
import { openUndoFile, pipedCommand, type UndoFile } from "./undo-file.ts";

/** Up to so many IDs, all that failed or were not started are part of the error's own lines. */
const MOST_IDS = 100;

/**
 * Keeps the IDs of very many relayers that a run did not change in a file next to the journal, if the journal has the
 * run. If no relayer was changed, the command that was typed reaches them all again.
 * @returns the line about the file
 */
async function keepUnchanged(
  call: Call,
  session: Session,
  completed: readonly Completed<unknown>[],
  verb: ReturnType<typeof verbFor>,
): Promise<string[]> {
  const missed = completed.filter(({ value }) => value === undefined);
  const run = session.recordedRun();
  if (run === undefined || missed.length <= MOST_IDS || missed.length === completed.length) return [];
  try {
    const file = await call.app.lineFile({ run });
    try {
      await file.append(call.app.secrets.redact(missed.map(({ id }) => id).join("\n")));
    } finally {
      await file.close();
    }
    const inWords = `relayers ${verb} the IDs in ${file.path}`;
    const command = verb === "update" ? undefined : pipedCommand(call, session, { path: file.path, verb });
    return [nextWords.retry(command ?? inWords)];
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return [`warning: the IDs of ${grouped(missed.length)} relayers were not kept: ${error.message}`];
  }
}

/** Changes many relayers after one prompt, several at a time, and returns each in its new state. */
export async function updateMany(
  call: Call<BulkFlags & DiffFlag>,
  { ids, throttle }: Targets,
  change: ManyChange,
): Promise<View> {
  if (!isShown(call) && !call.among) requireConsentForMany(call);
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
  { shortfall, throttle, undoFile, reads, ...planned }: Planned,
): Promise<View> {
  const session = await call.session();
  const targets = await withDoubts(call, planned.targets);
  const { diff = false } = call.flags;
  if (shortfall) await call.say(`note: ${shortfall.words}`);
  const symbols = await targetSymbols(call, targets);
  const kinds = kindsLine(targets);
  const needed = targets.filter(needsChange);
  const same = diff ? [] : alreadyLine(targets, needed);
  const described = diff ? targets : needed;
  const lines = described.length > 0 ? [...manyLines(session, described, { diff, symbols }), ...same] : [];
  const told = call.app.stderr.isTerminal ? same.map((line) => `note: ${line}`) : [];
  const unconfirmedLines = diff
    ? lines
    : [...(kinds === undefined ? [] : [`note: ${kinds}`]), ...capLines(targets), ...told];
  if (isShown(call)) {
    await writeLines(call, unconfirmedLines);
    return await showRequests(
      call,
      targets.map((target) => spelledFor(apiRequestOf(target), target.before)),
      reads || diff,
    );
  }
  const wasPrompted = await consentTo(call, session, { targets, needed, lines });
  if (!wasPrompted) await writeLines(call, unconfirmedLines);
  const { interrupt } = call.app;
  const verb = bulkVerbs[verbFor(targets)];
  const run = runWrites(call, session, { ...throttle, ...verb }, (client) =>
    targets.map((target) => jobFor(target, { client, session, undoFile })),
  );
  const receipt = async (completed: readonly Completed<ApiResult<Relayer>>[]) => {
    const retry = await keepUnchanged(call, session, completed, verbFor(targets));
    const kept = await undoFile?.end();
    const ending = manyReceipt(completed, targets, { session, symbols, kept, isInterrupted: interrupt.aborted });
    return { ...ending, next: [...retry, ...(ending.next ?? [])] };
  };
  const view = bulkView({ run, resource: relayerView, session, interrupt, verb, receipt });
  return shortfall ? endingWith(call, view, run.done, shortfall) : view;
}

interface Consented {
  targets: readonly Target[];
  needed: readonly Target[];
  lines: readonly string[];
}

/** Asks for consent if anything has to be sent, and returns whether the user was prompted. @throws RelayctlError declined */
async function consentTo(call: Call, session: Session, { targets, needed, lines }: Consented): Promise<boolean> {
  const isNeeded = needed.length > 0;
  const { agree } = call.among ?? {};
  if (agree) {
    const count = targets.length;
    return await agree(session.name, { session, verb: verbFor(targets), count, isNeeded, lines });
  }
  // A script counts all of its targets.
  const asked = call.common.confirm === typedCountOf(targets) ? targets : needed;
  return isNeeded && (await askConsent(call, manyQuestion(session, asked), lines));
}

function alreadyLine(targets: readonly Target[], needed: readonly Target[]): string[] {
  const same = targets.length - needed.length;
  if (same === 0) return [];
  const { already } = changeVerbs[verbFor(targets)];
  return [`skipped: ${grouped(same)} of ${countOf(targets)} ${same === 1 ? "is" : "are"} ${already}`];
}

function apiRequestOf({ id, body }: Target) {
  return { operation: operations["relayers.update"], parameters: { relayer_id: id }, body };
}

function jobFor(
  target: Target,
  { client, session, undoFile }: { client: Client; session: Session; undoFile: UndoFile | undefined },
): Job<ApiResult<Relayer>> {
  const { id, before } = target;
  const send = () => changed(target, client, session);
  if (!before || needsChange(target)) return { id, run: undoFile ? () => undoFile.keeping(target, send) : send };
  return { id, already: true, run: async () => ({ data: before, body: NOTHING, unconfirmed: [] }) };
}

async function changed(target: Target, client: Client, { flags }: Session): Promise<ApiResult<Relayer>> {
  const { id, before } = target;
  const { body } = spelledFor(apiRequestOf(target), before);
  const sent = client.relayers.update(id, body as UpdateRelayerRequest, { before });
  const result = await withHint(sent, () => commandLine(...flags, "relayers", "get", id));
  // The rest of the response is not shown, and there may be very many.
  const { data, unconfirmed, lost } = result;
  return { data, body: NOTHING, unconfirmed, ...(lost !== undefined && { lost }) };
}

const NOTHING = new Uint8Array();
