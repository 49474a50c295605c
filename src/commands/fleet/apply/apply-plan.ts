import type { WriteThrottle } from "../../../command-support/bulk/writes.ts";
import { requireConsentForSet } from "../../../command-support/consent/consent.ts";
import { writeLines } from "../../../command-support/prepared-write.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { shellOf } from "../../../command-support/shell/shell-of.ts";
import { isShown, showRequests } from "../../../command-support/shown.ts";
import { counted } from "../../../contract/decimal.ts";
import { type RelayctlError, usageError } from "../../../errors.ts";
import type { Plan } from "../../../fleet/plan.ts";
import type { ListView, Page, View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import type { FleetFlags } from "../flags.ts";
import { knownFor, sourcesOf } from "../make-plan.ts";
import { countTexts, differs, groupedByResource, sameText } from "../plan/words.ts";
import { planText } from "../plan-view.ts";
import { ACT, changesText, consentToApply, requireConsentToApply } from "./consent.ts";
import { applyFailure } from "./failure.ts";
import { loadSaved, planCommand, refuseOtherServer, type SavedPlanFile } from "./load-saved.ts";
import { refuseManyDeletions } from "./many-deletions.ts";
import { planNow } from "./plan-now.ts";
import { applyReceipt } from "./receipt.ts";
import { appliedView, impossibleRow, stepRow } from "./rows.ts";
import { runSteps, type StepsRun } from "./run-steps.ts";
import { secretVariables } from "./secret-variables.ts";
import { type PlanToApply, requestOf } from "./to-apply.ts";

/** What `apply` was typed with. */
export interface Applying {
  /** The saved plan; undefined if files are compared now. */
  saved: SavedPlanFile | undefined;
  /** The files, if there is no saved plan. */
  files: readonly string[];
  throttle: WriteThrottle;
}

/** Shows a plan, asks, and applies it, several changes at a time. */
export async function applyPlan(call: Call<FleetFlags>, applying: Applying): Promise<View> {
  const session = await call.session();
  const toApply = await loaded(call, session, applying);
  const { plan, steps, settled } = toApply;
  const open = steps.filter(({ key }) => !settled.has(key));
  const lines = (await planText(call, { plan, relayers: toApply.live.resources.relayers })).map(({ text }) => text);
  if (isShown(call)) {
    await writeLines(call, lines);
    const variables = secretVariables(toApply.referred.values());
    const ids = new Map(open.map((step) => [requestOf(step), step.change.id]));
    return await showRequests(call, [...ids.keys()], true, (request) => variables(ids.get(request) ?? ""));
  }
  refuseManyDeletions(open, toApply.live);
  if (open.length > 0) {
    const typed = [steps, open].map((each) => each.map(({ change }) => change));
    const title = `apply ${changesText(open)} in ${session.name}`;
    await consentToApply(call, session, { changes: typed[1] ?? [], all: typed[0] ?? [] }, [title, ...lines]);
  }
  const run = runSteps(call, session, { steps, settled, comparing: toApply.comparing, throttle: applying.throttle });
  return endedView(call, { session, saved: applying.saved, plan, run });
}

async function loaded(call: Call<FleetFlags>, session: Session, { saved, files }: Applying): Promise<PlanToApply> {
  const { prune = false } = call.flags;
  if (!saved) {
    if (!isShown(call)) requireConsentForSet(call, ACT);
    return await planNow(call, session, files);
  }
  refuseOtherServer(saved, session);
  const { changes } = saved.saved.plan;
  const deleted = changes.filter(({ action }) => action === "delete");
  if (deleted.length > 0 && !prune)
    throw usageError([
      { where: saved.path, rule: `deletes ${counted(deleted.length, "resource")}: add --prune to apply it` },
    ]);
  if (!isShown(call)) requireConsentToApply(call, session, changes);
  const known = knownFor(call, session, saved.saved.plan.files);
  return await loadSaved(saved, { session, sources: sourcesOf(call), known });
}

function endedView(
  call: Call,
  { session, saved, plan, run }: Pick<Applying, "saved"> & { session: Session; plan: Plan; run: StepsRun },
): ListView {
  return {
    kind: "list",
    resource: appliedView,
    pages: pagesOf(run, plan.cannot),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    nothing: differs(plan) ? null : [sameText(plan), ...countTexts(plan)].join("; "),
    async ending() {
      const ended = await run.done;
      // A saved plan stays out of date.
      const again = (errors: readonly RelayctlError[]) =>
        saved && errors.some(({ failure }) => failure === "conflict")
          ? planCommand(saved, session)
          : repeatedCommand(call.argv, [], shellOf(call.app.env));
      const failure = applyFailure({ ended, cannot: plan.cannot, interrupt: call.app.interrupt, again });
      return { ...applyReceipt(ended, session), ...(failure && { failure }) };
    },
  };
}

async function* pagesOf({ ended }: StepsRun, cannot: PlanToApply["plan"]["cannot"]): AsyncGenerator<Page> {
  const page = (item: Page["items"][number]): Page => ({ items: [item], total: undefined, body: NOTHING });
  for await (const each of ended) yield page(stepRow(each));
  for (const members of groupedByResource(cannot)) yield page(impossibleRow(members));
}

const NOTHING = new Uint8Array();
