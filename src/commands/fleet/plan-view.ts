import { type Placed, symbolsFor } from "../../coins/symbol-for.ts";
import { storedList } from "../../command-support/printing.ts";
import type { JsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import { countTexts, differs, type Plan, planSummary, sameText } from "../../fleet/plan.ts";
import type { Cell, Ending, View } from "../../terminal/view.ts";
import { differenceRows, differenceView } from "../../views/fleet/plan-rows.ts";
import { drawsAmounts } from "../coins/drawn-symbol.ts";
import type { Call } from "../command.ts";
import { FEW, type PlanUnits, planLines } from "./plan/lines.ts";

export interface ReadPlan {
  plan: Plan;
  relayers: PlanUnits["relayers"];
}

/** Returns a plan in the format; with differences, the command ends with `changes`. @param next commands to apply it */
export async function planView(call: Call, made: ReadPlan, next: readonly string[] = []): Promise<View> {
  const { app, common, output } = call;
  const plan = app.secrets.masked(made.plan);
  const read = { plan, relayers: made.relayers };
  const format = output.format ?? (app.stdout.isTerminal ? "table" : "tsv");
  const isDrawn = drawsAmounts(call);
  const isAll = (common.verbose ?? 0) > 0;
  const ending = buildEnding(plan, next, isDrawn ? listingFlag(plan, isAll) : "-o json");
  if (format === "markdown") {
    const { planMarkdown } = await import("./plan/markdown.ts");
    return { kind: "text", text: planMarkdown(plan, await readUnits(call, read)), ...ending };
  }
  const notes = [...countTexts(differs(plan) ? plan : { ...plan, not_compared: [] }), ...(ending.notes ?? [])];
  if (format === "name" && output.query === undefined)
    return { kind: "facts", lines: [], value: changedIds(plan), ...ending, notes };
  if (["tsv", "csv", "ndjson"].includes(format) && output.query === undefined)
    return {
      ...storedList(differenceView, differenceRows(plan), (await call.session()).name),
      nothing: null,
      ending: async () => ({ ...ending, notes }),
    };
  const text = isDrawn ? await planText(call, read, isAll) : [];
  return {
    kind: "facts",
    lines: [],
    text,
    value: plan as unknown as JsonObject,
    ...ending,
    notes: isDrawn ? (ending.notes ?? []) : notes,
  };
}

/**
 * Returns a plan as lines for a user, with amounts in the units of their coins.
 * @param all whether every value that was not compared is listed, however many there are
 */
export async function planText(call: Call, read: ReadPlan, all = false): Promise<Cell[]> {
  return planLines(call.app.secrets.masked(read.plan), await readUnits(call, read), all);
}

async function readUnits(call: Call, { plan, relayers }: ReadPlan): Promise<PlanUnits> {
  const differing = [...plan.changes, ...plan.cannot].filter(({ noun }) => noun === "relayers");
  const placed = differing.map((part): Placed => relayers.get(part.id) ?? ("body" in part ? part.body : {}));
  return { relayers, symbols: await symbolsFor(call, placed) };
}

function listingFlag({ not_compared }: Plan, isAll: boolean): string | undefined {
  return isAll || not_compared.length <= FEW ? undefined : "-v";
}

function buildEnding(plan: Plan, next: readonly string[], by: string | undefined): Ending {
  if (!differs(plan)) return { notes: [sameText(plan, by)] };
  const isApplicable = plan.changes.length > 0;
  return { failure: new RelayctlError("changes", planSummary(plan)), ...(isApplicable && { next }) };
}

function changedIds({ changes, cannot }: Plan): JsonObject[] {
  const ids = [...changes, ...cannot].map(({ noun, id }) => [`${noun}/${id}`, id] as const);
  return [...new Map(ids).values()].map((id) => ({ id }));
}
