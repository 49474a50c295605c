import type { Job } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import { refuseWithoutSignature } from "../../../client/needs-signature.ts";
import type { ApiRequest } from "../../../client/request.ts";
import { runWrites, type WriteThrottle } from "../../../command-support/bulk/writes.ts";
import { writeWithHint } from "../../../command-support/prepared-write.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import type { VariableFor } from "../../../command-support/request-body/body-placeholders.ts";
import { isDryRun, showRequests } from "../../../command-support/shown.ts";
import { groupDigits, pluralize } from "../../../contract/decimal.ts";
import { effectOf } from "../../../contract/effect.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { type OperationId, operations } from "../../../contract/operations.ts";
import { type Problem, RelayctlError, unsentError, usageError } from "../../../errors.ts";
import { type ApplyStep, applyStep, type StepEnd, staleError, unchangedStep } from "../../../fleet/apply/apply-step.ts";
import { applyFailure } from "../../../fleet/apply/failure.ts";
import { type ManagedResource, managedResource } from "../../../fleet/apply/managed-resource.ts";
import type { EndedStep, StepOutcome } from "../../../fleet/apply/outcome.ts";
import { type Comparing, resourceState } from "../../../fleet/apply/resource-state.ts";
import { byText } from "../../../fleet/compare/canonical-json.ts";
import { existenceKey } from "../../../fleet/compare/existence.ts";
import { bodyWithValues, type ReferredValues } from "../../../fleet/compare/request-body.ts";
import { DEMO_FILE } from "../../../fleet/demo/demo-file.ts";
import { FLEET_NOUNS } from "../../../fleet/desired-fleet.ts";
import { fingerprintWith } from "../../../fleet/fingerprint.ts";
import type { KnownSecrets } from "../../../fleet/known-secrets.ts";
import { type LiveFleet, readLiveFleet } from "../../../fleet/live.ts";
import {
  type Plan,
  type PlannedChange,
  planByResource,
  planCountTexts,
  planHasDifferences,
  planSameText,
} from "../../../fleet/plan.ts";
import { resolveSavedReferences, type SavedPlan } from "../../../fleet/saved-references.ts";
import type { FleetSources } from "../../../fleet/sources.ts";
import type { Message } from "../../../message.ts";
import { receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine, userShell } from "../../../shell/shell-words.ts";
import { type Ending, type ListView, listFrom, type Page, type View } from "../../../terminal/view.ts";
import { appliedView, applyImpossibleRow, applyStepRow } from "../../../views/fleet/apply-rows.ts";
import type { Call } from "../../command.ts";
import { canUndoOwnRun } from "../../undo/reversal.ts";
import type { FleetFlags } from "../flags.ts";
import { makePlan, planMessages, planSources, readPlanSecrets } from "../make-plan.ts";
import { applyChangesText, consentToApply, requireConsentToApply } from "./consent.ts";

const DONE = { create: "created", update: "changed", delete: "deleted" } as const;

async function applyReceipt(ended: readonly EndedStep[], session: Session): Promise<Omit<Ending, "failure">> {
  const applied = ended.filter(({ outcome }) => outcome.kind === "applied");
  const parts = (Object.keys(DONE) as (keyof typeof DONE)[]).flatMap((action) => {
    const count = applied.filter(({ step }) => step.change.action === action).length;
    return count === 0 ? [] : [`${groupDigits(count)} ${DONE[action]}`];
  });
  const others = OTHERS.flatMap(([kind, words]) => {
    const count = ended.filter(({ outcome }) => outcome.kind === kind).length;
    return count === 0 ? [] : [`${groupDigits(count)} ${words}`];
  });
  const notes = ended.flatMap(stepNotes);
  const counts = [...parts, ...others].join(", ");
  if (applied.length === 0) return { notes: [...notes, ...(counts === "" ? [] : [`in ${session.name}: ${counts}`])] };
  return {
    receipt: [...notes, receiptWords.applied(session.name, counts)],
    next: await undoLines(session),
  };
}

const OTHERS = [
  ["skipped", "skipped"],
  ["disabled", "skipped (disabled)"],
  ["already", "already as planned"],
] as const;

function stepNotes({ step: { key }, outcome }: EndedStep): Message[] {
  if (outcome.kind !== "applied" && outcome.kind !== "already") return [];
  const { lost, notes } = outcome.end;
  const proven = { warning: `${key}: ${lost}; reading it back from the service proved that it was applied` };
  return [...(lost === undefined ? [] : [proven]), ...notes.map((note) => ({ note: `${key}: ${note}` }))];
}

async function undoLines(session: Session): Promise<Message[]> {
  const run = session.recordedRun();
  if (run === undefined) return [];
  const canUndo = await canUndoOwnRun(session);
  const pasted = session.pasteable(canUndo ? ["undo", run] : ["history", "show", run]);
  if (!("line" in pasted)) return [];
  return [canUndo ? { undo: pasted.line } : { see: pasted.line }];
}

const ONE_IN = 5;

/** A file missing by mistake must not delete a fleet. @throws usage above a fifth of the relayers or of all */
function refuseManyDeletions(steps: readonly ApplyStep[], { resources, nouns }: LiveFleet): void {
  const deleted = steps.filter(({ change }) => change.action === "delete");
  const relayers = deleted.filter(({ change }) => change.noun === "relayers").length;
  const all = [...nouns].reduce((sum, noun) => sum + resources[noun].size, 0);
  const problems = [
    ...pruneProblems(relayers, resources.relayers.size, "relayers"),
    ...pruneProblems(deleted.length, all, "resources"),
  ];
  if (problems.length > 0) throw usageError(problems);
}

function pruneProblems(deleted: number, all: number, what: string): Problem[] {
  if (deleted * ONE_IN <= all) return [];
  const rule = `would delete ${groupDigits(deleted)} of ${groupDigits(all)} ${what}, more than a fifth; delete them one by one`;
  return [{ where: "--prune", rule }];
}

const VARIABLE = /^\$\{env:([A-Z_][A-Z0-9_]*)\}$/;

/** Returns the names of shell variables for a resource's secrets: the file's, otherwise one with the ID, to be unique. */
function secretVariables(referred: Iterable<ReferredValues>): (id: string) => VariableFor {
  const each = [...referred].flatMap((values) => [...values.values()]);
  const known = new Map(each.map(({ reference, value }) => [String(value), VARIABLE.exec(reference)?.[1]]));
  return (id) => (usual, secret) => known.get(secret) ?? `${usual}_${id.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
}

export interface Applying {
  saved: SavedPlanFile | undefined;
  files: readonly string[];
  throttle: WriteThrottle;
}

export async function applyPlan(call: Call<FleetFlags>, applying: Applying): Promise<View> {
  const session = await call.session();
  const toApply = await loadPlan(call, session, applying);
  const { plan, steps, settled } = toApply;
  const open = steps.filter(({ key }) => !settled.has(key));
  const lines = await planMessages(call, { plan, relayers: toApply.live.resources.relayers });
  if (isDryRun(call)) {
    const variables = secretVariables(toApply.referred.values());
    const ids = new Map(open.map((step) => [buildRequest(step), step.change.id]));
    const variablesOf = (request: ApiRequest) => variables(ids.get(request) ?? "");
    return await showRequests(call, [...ids.keys()], true, { summary: lines, variablesOf });
  }
  for (const step of open) refuseWithoutSignature(buildRequest(step), session.approvers);
  refuseManyDeletions(open, toApply.live);
  if (open.length > 0) {
    const typed = [steps, open].map((each) => each.map(({ change }) => change));
    const title = `apply ${applyChangesText(open)} in ${session.name}`;
    await consentToApply(call, session, { changes: typed[1] ?? [], all: typed[0] ?? [] }, [title, ...lines]);
  }
  const run = runSteps(call, session, { steps, settled, comparing: toApply.comparing, throttle: applying.throttle });
  return endedView(call, { session, saved: applying.saved, plan, run });
}

async function loadPlan(call: Call<FleetFlags>, session: Session, { saved, files }: Applying): Promise<PlanToApply> {
  const { prune = false } = call.flags;
  if (!saved) return await planNow(call, session, files);
  refuseOtherServer(saved, session);
  const { changes } = saved.saved.plan;
  const deleted = changes.filter(({ action }) => action === "delete");
  if (deleted.length > 0 && !prune)
    throw usageError([
      { where: saved.path, rule: `deletes ${pluralize(deleted.length, "resource")}: add --prune to apply it` },
    ]);
  if (!isDryRun(call)) requireConsentToApply(call, session, changes);
  const known = readPlanSecrets(call, session, saved.saved.plan.files);
  return await loadSaved(saved, { session, sources: planSources(call), known });
}

function endedView(
  call: Call,
  { session, saved, plan, run }: Pick<Applying, "saved"> & { session: Session; plan: Plan; run: StepsRun },
): ListView {
  return listFrom(session, appliedView, buildPages(run, plan.cannot), {
    nothing: planHasDifferences(plan)
      ? null
      : [planSameText(plan, "plan -v"), ...planCountTexts({ ...plan, not_compared: [] })].join("; "),
    async ending() {
      const ended = await run.done;
      // A saved plan stays outdated.
      const again = (errors: readonly RelayctlError[]) =>
        saved && errors.some(({ failure }) => failure === "conflict")
          ? planCommand(saved, session)
          : repeatedCommand(call.argv, [], userShell(call.app.env));
      const failure = applyFailure({ ended, cannot: plan.cannot, interrupt: call.app.interrupt, again });
      return { ...(await applyReceipt(ended, session)), failure };
    },
  });
}

async function* buildPages({ ended }: StepsRun, cannot: PlanToApply["plan"]["cannot"]): AsyncGenerator<Page> {
  const page = (item: Page["items"][number]): Page => ({ items: [item], total: undefined, body: NOTHING });
  for await (const each of ended) yield page(applyStepRow(each));
  for (const members of planByResource(cannot)) yield page(applyImpossibleRow(members));
}

const NOTHING = new Uint8Array();

async function planNow(call: Call<FleetFlags>, session: Session, files: readonly string[]): Promise<PlanToApply> {
  const { prune = false, sendHidden = false } = call.flags;
  const { plan, live, referred, desired } = await makePlan(call, files, { prune, sendHidden });
  const fingerprint = fingerprintWith(call.app.random.uuid());
  const known = readPlanSecrets(call, session, files);
  const findLive = ({ noun, id }: (typeof plan.changes)[number]) => live.resources[noun].get(id);
  const hidden = new Map(desired.resources.map((each) => [existenceKey(each.noun, each.id), each.hidden]));
  const managed = plan.changes.map((each) => {
    const paths = hidden.get(existenceKey(each.noun, each.id));
    return managedResource({ ...each, ...(paths && { hidden: paths }) }, findLive(each), fingerprint);
  });
  const steps = planSteps(plan, new Map(managed.map((each) => [existenceKey(each.noun, each.id), each])), referred);
  const settled = steps.flatMap((step) => {
    const outcome = disabledOutcome(step, findLive(step.change));
    return outcome ? [[step.key, outcome] as const] : [];
  });
  return { plan, referred, steps, settled: new Map(settled), live, comparing: { fingerprint, known } };
}

interface SavedPlanFile {
  path: string;
  saved: SavedPlan;
}

/** @throws RelayctlError usage for a plan of another service */
function refuseOtherServer({ path, saved: { plan } }: SavedPlanFile, { origin, name }: Session): void {
  if (plan.server === origin) return;
  throw usageError([
    { where: path, rule: `was created for ${plan.server}, and ${name} is ${origin}; nothing was sent` },
  ]);
}

/** @throws RelayctlError conflict if a resource or a secret changed since the plan; usage if a secret is missing */
async function loadSaved(
  file: SavedPlanFile,
  { session, sources, known }: { session: Session; sources: FleetSources; known: KnownSecrets },
): Promise<PlanToApply> {
  const { plan: read, salt, references, managed } = file.saved;
  session.hide(managed);
  const comparing: Comparing = { fingerprint: fingerprintWith(salt), known };
  const hint = planCommand(file, session);
  const { referred, changed } = await resolveSavedReferences(read, references, comparing.fingerprint, sources);
  if (changed.length > 0)
    throw changedSince(
      changed.map(({ member, reference }) => [member, `${reference} has another value now`]),
      hint,
    );
  const byKey = new Map(managed.map((each) => [existenceKey(each.noun, each.id), each]));
  const plan = { ...read, changes: read.changes.map((each) => withEffect(each, referred)) };
  const steps = planSteps(plan, byKey, referred);
  const nouns = FLEET_NOUNS.filter((noun) => managed.some((each) => each.noun === noun));
  const live = await readLiveFleet(session.client, nouns);
  const intended = new Map(steps.map((step) => [step.key, step]));
  const settled = new Map<string, StepOutcome>();
  const moved: [string, string][] = [];
  for (const [key, resource] of byKey) {
    const step = intended.get(key);
    const now = live.resources[resource.noun].get(resource.id);
    const state = await resourceState(step ?? { managed: resource, change: undefined, body: {} }, now, comparing);
    if (state.kind === "moved") moved.push([key, staleError(state.since).message]);
    else if (step && state.kind === "already") settled.set(key, { kind: "already", end: unchangedStep(state) });
    else {
      const disabled = step && disabledOutcome(step, now);
      if (disabled) settled.set(key, disabled);
    }
  }
  if (moved.length > 0) throw changedSince(moved, hint);
  return { plan, referred, steps, settled, live, comparing };
}

/** Returns a change with what its request does, whatever its file says. */
function withEffect(change: PlannedChange, referred: PlanToApply["referred"]): PlannedChange {
  const { noun, id, action, body, effects } = change;
  const values: ReferredValues = referred.get(existenceKey(noun, id)) ?? new Map();
  const { consent, words } = effectOf(operations[`${noun}.${action}` as OperationId], bodyWithValues(body, values));
  const all = [...new Set([...effects, ...words])];
  return { ...change, effects: all, consent: consent === "none" ? change.consent : consent };
}

function planCommand({ path, saved }: SavedPlanFile, { flags }: Session): string {
  const { files } = saved.plan;
  const typed = files.includes(DEMO_FILE) ? [] : ["--file", ...files];
  return commandLine(...flags, "plan", ...typed, "--out", path);
}

function changedSince(found: readonly (readonly [where: string, rule: string])[], hint: string): RelayctlError {
  const details = found.map(([where, rule]) => ({ where, rule }));
  const [first, ...more] = details;
  return unsentError("conflict", "the plan is out of date", {
    details,
    because: [...(first && more.length === 0 ? [`${first.where}: ${first.rule}`] : [])],
    hint,
  });
}

interface PlanToApply {
  plan: Plan;
  referred: ReadonlyMap<string, ReferredValues>;
  steps: readonly ApplyStep[];
  /** Outcomes known in advance: already as planned, and disabled relayers. */
  settled: ReadonlyMap<string, StepOutcome>;
  live: LiveFleet;
  comparing: Comparing;
}

function planSteps(
  { changes }: Plan,
  managed: ReadonlyMap<string, ManagedResource>,
  referred: ReadonlyMap<string, ReferredValues>,
): ApplyStep[] {
  const steps = changes.map((change): ApplyStep => {
    const { noun, id } = change;
    const key = existenceKey(noun, id);
    const values: ReferredValues = referred.get(key) ?? new Map();
    const body = bodyWithValues(change.body, values);
    return { key, change, body, referred: values, managed: managed.get(key) ?? { noun, id, hidden: [], before: null } };
  });
  return inOrder(steps);
}

function buildRequest({ change: { noun, id, action }, body, managed: { hidden } }: ApplyStep): ApiRequest {
  const operation = operations[`${noun}.${action}` as OperationId];
  if (action === "create") return { operation, body, hidden };
  const parameters = { [`${noun.slice(0, -1)}_id`]: id };
  return action === "delete" ? { operation, parameters } : { operation, parameters, body, hidden };
}

function disabledOutcome({ change }: ApplyStep, live: JsonObject | undefined): StepOutcome | undefined {
  return change.action === "update" && live?.system_disabled === true ? { kind: "disabled" } : undefined;
}

type StepsRun = ReturnType<typeof runSteps>;

/** Returns the steps in the order of application: deletions last, with references before their targets. */
function inOrder(steps: readonly ApplyStep[]): ApplyStep[] {
  return [...steps].sort((one, other) => phaseFor(one) - phaseFor(other) || byText(one.key, other.key));
}

/** Returns the place of a step's noun: no step starts before the steps of all earlier places have ended. */
function phaseFor({ change: { noun, action } }: ApplyStep): number {
  const place = FLEET_NOUNS.indexOf(noun);
  return action === "delete" ? 2 * FLEET_NOUNS.length - place : place;
}

interface Running {
  steps: readonly ApplyStep[];
  settled: ReadonlyMap<string, StepOutcome>;
  comparing: Comparing;
  throttle: WriteThrottle;
}

function runSteps(call: Call, session: Session, { steps, settled, comparing, throttle }: Running) {
  const { interrupt } = call.app;
  const outcomes = new Map(settled);
  const open = steps.filter(({ key }) => !settled.has(key));
  const ends = new Map(open.map(({ key }) => [key, createEnd()]));
  const keys = new Set(steps.map(({ key }) => key));
  let isOver = false;

  async function perform(step: ApplyStep, client: Client): Promise<StepEnd> {
    const earlier = open.filter((each) => phaseFor(each) < phaseFor(step));
    await Promise.all(earlier.map(({ key }) => ends.get(key)?.reached));
    if (isOver || interrupt.aborted) throw new RelayctlError("interrupted", "nothing was sent");
    const missing = step.change.needs.find(isMissing);
    if (missing !== undefined) {
      const because = `needs ${missing}, which was not applied`;
      outcomes.set(step.key, { kind: "skipped", because });
      throw new RelayctlError("conflict", because);
    }
    const { noun, id } = step.change;
    return await writeWithHint(applyStep(client, step, comparing), commandLine(...session.flags, noun, "get", id));
  }

  function isMissing(key: string): boolean {
    const kind = outcomes.get(key)?.kind;
    return keys.has(key) && kind !== "applied" && kind !== "already";
  }

  const buildJob = (step: ApplyStep, client: Client): Job<StepEnd> => ({
    id: step.key,
    async run() {
      try {
        const end = await perform(step, client);
        outcomes.set(step.key, { kind: end.already ? "already" : "applied", end });
        return end;
      } catch (error) {
        if (!(error instanceof RelayctlError)) throw error;
        isOver ||= ENDS_ALL.includes(error.failure);
        if (!outcomes.has(step.key)) outcomes.set(step.key, failedOutcome(error));
        throw error;
      } finally {
        ends.get(step.key)?.reach();
      }
    },
  });

  const sending = { ...throttle, doing: "applying" };
  const { results, done } = runWrites(call, session, sending, (client) => open.map((step) => buildJob(step, client)));
  const ended = (step: ApplyStep) => ({ step, outcome: outcomes.get(step.key) ?? { kind: "not started" as const } });
  async function* inTurn(): AsyncGenerator<EndedStep> {
    const running = results[Symbol.asyncIterator]();
    for (const step of steps) {
      if (!settled.has(step.key)) await running.next();
      yield ended(step);
    }
  }
  return { ended: inTurn(), done: done.then(() => steps.map(ended)) };
}

function createEnd(): { reached: Promise<void>; reach: () => void } {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach: () => reach() };
}

/** A refused token, and a rate limit that outlasts the deadline, would affect every other step, too. */
const ENDS_ALL: readonly string[] = ["auth", "rate_limited"];

function failedOutcome(error: RelayctlError): StepOutcome {
  if (error.failure === "interrupted" && error.applied === "no") return { kind: "not started" };
  return error.subject?.kind === "disabled" ? { kind: "disabled" } : { kind: "failed", error };
}
