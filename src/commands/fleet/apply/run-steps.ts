import type { Job } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import { runWrites, type WriteThrottle } from "../../../command-support/bulk/writes.ts";
import { withHint } from "../../../command-support/receipt.ts";
import { RelayctlError } from "../../../errors.ts";
import { type ApplyStep, applyStep, type StepEnd } from "../../../fleet/apply/apply-step.ts";
import type { EndedStep, StepOutcome } from "../../../fleet/apply/outcome.ts";
import type { Comparing } from "../../../fleet/apply/resource-state.ts";
import { byText } from "../../../fleet/compare/canonical-json.ts";
import { FLEET_NOUNS } from "../../../fleet/desired.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";

export type StepsRun = ReturnType<typeof runSteps>;

/** Returns the steps in the order of application: deletions last, with references before their targets. */
export function inOrder(steps: readonly ApplyStep[]): ApplyStep[] {
  return [...steps].sort((one, other) => computePhase(one) - computePhase(other) || byText(one.key, other.key));
}

/** Returns the place of a step's noun: no step starts before the steps of all earlier places have ended. */
function computePhase({ change: { noun, action } }: ApplyStep): number {
  const place = FLEET_NOUNS.indexOf(noun);
  return action === "delete" ? 2 * FLEET_NOUNS.length - place : place;
}

interface Running {
  steps: readonly ApplyStep[];
  settled: ReadonlyMap<string, StepOutcome>;
  comparing: Comparing;
  throttle: WriteThrottle;
}

export function runSteps(call: Call, session: Session, { steps, settled, comparing, throttle }: Running) {
  const { interrupt } = call.app;
  const outcomes = new Map(settled);
  const open = steps.filter(({ key }) => !settled.has(key));
  const ends = new Map(open.map(({ key }) => [key, createEnd()]));
  const keys = new Set(steps.map(({ key }) => key));
  let isOver = false;

  async function perform(step: ApplyStep, client: Client): Promise<StepEnd> {
    const earlier = open.filter((each) => computePhase(each) < computePhase(step));
    await Promise.all(earlier.map(({ key }) => ends.get(key)?.reached));
    if (isOver || interrupt.aborted) throw new RelayctlError("interrupted", "nothing was sent");
    const missing = step.change.needs.find(isMissing);
    if (missing !== undefined) {
      const because = `needs ${missing}, which was not applied`;
      outcomes.set(step.key, { kind: "skipped", because });
      throw new RelayctlError("conflict", because);
    }
    const { noun, id } = step.change;
    return await withHint(applyStep(client, step, comparing), commandLine(...session.flags, noun, "get", id));
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
