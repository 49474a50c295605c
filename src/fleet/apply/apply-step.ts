import type { Client } from "../../client/client.ts";
import { apiRequest, type WriteFacts } from "../../client/request.ts";
import { respellForRecord } from "../../client/respell.ts";
import type { JsonObject } from "../../contract/json.ts";
import { ifFound, RelayctlError, rescue } from "../../errors.ts";
import type { ReferredValues } from "../compare/request-body.ts";
import type { PlannedChange } from "../plan.ts";
import type { ManagedResource } from "./managed-resource.ts";
import { type Comparing, differencesFromState, type Intended, resourceState } from "./resource-state.ts";

/** A text of this length is replaced anywhere; a shorter text only as a whole word. */
const SEARCHED = 8;

/** Returns an error with references in place of values that a plan does not contain, which a service may quote. */
function withoutValues(error: RelayctlError, referred: ReferredValues): RelayctlError {
  const known = [...referred.values()].map(({ reference, value }) => ({ reference, text: String(value) }));
  if (known.length === 0) return error;
  known.sort((one, other) => other.text.length - one.text.length);
  const shown = (text: string) =>
    known.reduce((rest, each) => rest.replace(patternFor(each.text), () => each.reference), text);
  const { failure, message, because, details, following: next, hint, applied, retryable, http, subject } = error;
  return new RelayctlError(failure, shown(message), {
    because: because.map(shown),
    details: details.map((each) => ({
      ...each,
      ...(each.given !== undefined && { given: shown(each.given) }),
      rule: shown(each.rule),
    })),
    ...{ next, applied, retryable },
    ...(hint !== undefined && { hint }),
    ...(http && { http }),
    ...(subject && { subject }),
  });
}

function patternFor(text: string): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(text.length >= SEARCHED ? literal : `(?<!\\w)${literal}(?!\\w)`, "g");
}

export interface ApplyStep extends Intended {
  /** E.g. `signers/kms-1`, unique in a plan. */
  key: string;
  change: PlannedChange;
  referred: ReferredValues;
}

export interface StepEnd {
  /** Set if nothing was sent, since the resource is already as planned. */
  already?: true;
  /** The proof that a write was applied although its response was lost. */
  lost?: string;
  /** Notes, e.g. that a value could not be compared. */
  notes: readonly string[];
}

export function unchangedStep({ unknown }: { unknown: readonly string[] }): StepEnd {
  return { already: true, notes: unknown.map((path) => `${path} is not compared`) };
}

/** Sends nothing if the resource changed since the plan, and reads it again. @throws conflict; mismatch */
export async function applyStep(client: Client, step: ApplyStep, comparing: Comparing): Promise<StepEnd> {
  const { change, managed } = step;
  let live = await readNow(client, managed);
  let state = await resourceState(step, live, comparing);
  for (let reads = 1; reads < MOST_READS && state.kind === "moved"; reads++) {
    live = await readNow(client, managed);
    state = await resourceState(step, live, comparing);
  }
  if (state.kind === "moved") throw staleError(state.since);
  if (state.kind === "already") return unchangedStep(state);
  if (live?.system_disabled === true && change.action === "update")
    throw new RelayctlError("conflict", "disabled: the service refuses changes until it enables the relayer again", {
      subject: { kind: "disabled" },
      retryable: true,
    });
  const { lost } = await sendStep(client, step, live).catch((error: unknown) => {
    throw error instanceof RelayctlError ? withoutValues(error, step.referred) : error;
  });
  const note = await checkApplied(client, step);
  return { ...(lost !== undefined && { lost }), notes: note === undefined ? [] : [note] };
}

/** How often an unexpected resource is read: another instance of the same balancer may show an older state. */
const MOST_READS = 3;

async function readNow(client: Client, { noun, id }: ManagedResource): Promise<JsonObject | undefined> {
  return (await ifFound(client[noun].get(id)))?.data;
}

/** Returns the error for a resource that changed after the plan was created. @param since the changes, in words */
export function staleError(since: readonly string[]): RelayctlError {
  return new RelayctlError("conflict", `changed since the plan was created: ${since.join(", ")}`);
}

type Sent = { lost?: string };

/** @throws RelayctlError usage for a write that the API does not have (facts 8.1, 8.2, 8.3) */
async function sendStep(
  client: Client,
  { change: { action }, body, managed: { noun, id, hidden } }: ApplyStep,
  live: JsonObject | undefined,
): Promise<Sent> {
  switch (action) {
    case "create":
      if (noun === "networks" || noun === "plugins") break;
      return await (client[noun].create as (body: JsonObject, facts: WriteFacts) => Promise<Sent>)(body, { hidden });
    case "update": {
      if (noun === "signers") break;
      const request = respellForRecord(apiRequest(`${noun}.update`, {}, body), live);
      return await client[noun].update(id, request.body as JsonObject, { before: live, hidden });
    }
    case "delete":
      if (noun === "networks" || noun === "plugins") break;
      return await client[noun].delete(id);
  }
  throw new RelayctlError("usage", `the API has no request to ${action} ${noun}`);
}

/** A failed read is only a note: the response to the write has proved it. @throws RelayctlError mismatch */
async function checkApplied(client: Client, step: ApplyStep): Promise<string | undefined> {
  let different: readonly string[] = [];
  for (let reads = 0; reads < MOST_READS; reads++) {
    const live = await rescue(readNow(client, step.managed), (failure) => failure);
    if (live instanceof RelayctlError) {
      const { failure, message } = live;
      // The message of an interrupted read says that nothing was changed.
      return `could not be read after the write: ${failure === "interrupted" ? failure : message}`;
    }
    different = await stepDifferences(step, live);
    if (different.length === 0) return undefined;
  }
  throw new RelayctlError("mismatch", `applied, but the service shows something else: ${different.join(", ")}`, {
    applied: "yes",
  });
}

async function stepDifferences(step: ApplyStep, live: JsonObject | undefined): Promise<readonly string[]> {
  if (step.change.action === "delete") return live ? ["it still exists"] : [];
  return live ? await differencesFromState(step, live) : ["it does not exist"];
}
