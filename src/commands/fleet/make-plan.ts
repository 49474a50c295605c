import demoConfig from "../../../docs/examples/fleet/config.json?raw";
import { coinSymbolsFor, type Placed } from "../../coins/coin-symbol.ts";
import { storedList } from "../../command-support/printing.ts";
import type { JsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import { compareFleets } from "../../fleet/compare/compare-fleets.ts";
import { readFleetFiles } from "../../fleet/config/read-fleet.ts";
import { DEMO_FILE } from "../../fleet/demo/demo-file.ts";
import { type DesiredFleet, type FleetNoun, sourceWarningText } from "../../fleet/desired-fleet.ts";
import { journaledSecrets } from "../../fleet/journaled-secrets.ts";
import type { KnownSecrets } from "../../fleet/known-secrets.ts";
import { readLiveFor } from "../../fleet/live.ts";
import { openFleetSources } from "../../fleet/open-sources.ts";
import { type Plan, planCountTexts, planHasDifferences, planSameText, planSummary } from "../../fleet/plan.ts";
import type { FleetSources } from "../../fleet/sources.ts";
import { isMessageRow, type Message } from "../../message.ts";
import type { Session } from "../../session/session.ts";
import type { Ending, TextLine, View } from "../../terminal/view.ts";
import { differenceView, planDifferenceRows } from "../../views/fleet/plan-rows.ts";
import { drawsSymbol } from "../coins/drawn-symbol.ts";
import type { Call } from "../command.ts";
import type { FleetFlags } from "./flags.ts";
import { FEW, type PlanUnits, planLines } from "./plan/lines.ts";

export type MadePlan = Awaited<ReturnType<typeof makePlan>>;

export interface PlanOptions {
  prune: boolean;
  sendHidden: boolean;
}

export function planSources({ app, common, flags }: Call<FleetFlags>): FleetSources {
  const sources = openFleetSources(app, flags);
  return common.demo ? withDemoFile(sources) : sources;
}

export async function readPlanDesired(call: Call<FleetFlags>, files: readonly string[]): Promise<DesiredFleet> {
  const desired = await readFleetFiles(files, planSources(call));
  for (const warning of desired.warnings) await call.say(sourceWarningText(warning));
  return desired;
}

/** Returns what earlier writes from here show about values that the service does not return. */
export function readPlanSecrets(
  { app, common }: Call,
  { journal, origin }: Session,
  files: readonly string[],
): KnownSecrets {
  const known = journaledSecrets(journal, origin, () => app.clock.now());
  return files.includes(DEMO_FILE) && common.demo ? knownInDemo(known) : known;
}

export async function makePlan(call: Call<FleetFlags>, files: readonly string[], options: PlanOptions) {
  const desired = await readPlanDesired(call, files);
  const session = await call.session();
  session.hide(desired.resources);
  const live = await readLiveFor(session.client, desired, options);
  const recent = await session.recentJournal();
  if (recent)
    await (await import("../../command-support/own-changes.ts")).refreshOwnChanges(
      ...([call, recent, live.resources, (noun: FleetNoun, id: string) => session.client[noun].get(id)] as const),
    );
  const { plan, referred } = await compareFleets(desired, live, {
    ...options,
    files,
    server: session.origin,
    now: call.app.clock.now(),
    known: readPlanSecrets(call, session, files),
  });
  return { plan, referred, desired, live, relayers: live.resources.relayers };
}

function withDemoFile(sources: FleetSources): FleetSources {
  return {
    ...sources,
    read: async (path) => (path === DEMO_FILE ? demoConfig : await sources.read(path)),
    list: async (folder, root) => (DEMO_FILE.startsWith(folder) ? [] : await sources.list(folder, root)),
  };
}

function knownInDemo(known: KnownSecrets): KnownSecrets {
  return {
    ...known,
    lastApplied: async (noun, id, path) =>
      (await known.lastApplied(noun, id, path)) ?? (id === NEVER_APPLIED ? undefined : async () => true),
  };
}

/** The notification whose signing key cannot be compared. */
const NEVER_APPLIED = "ops-hook";

export interface ReadPlan {
  plan: Plan;
  relayers: PlanUnits["relayers"];
}

export async function planView(call: Call, made: ReadPlan, next: readonly { next: string }[] = []): Promise<View> {
  const { app, common, output } = call;
  const plan = app.secrets.masked(made.plan);
  const read = { plan, relayers: made.relayers };
  const format = output.format ?? (app.stdout.isTerminal ? "table" : "tsv");
  const isDrawn = drawsSymbol(call);
  const isAll = (common.verbose ?? 0) > 0;
  const ending = buildEnding(plan, next, isDrawn ? listingFlag(plan, isAll) : "-o json");
  if (format === "markdown") {
    const { planMarkdown } = await import("./plan/markdown.ts");
    return { kind: "text", text: planMarkdown(plan, await readUnits(call, read)), ...ending };
  }
  const notes = [
    ...planCountTexts(planHasDifferences(plan) ? plan : { ...plan, not_compared: [] }),
    ...(ending.notes ?? []),
  ];
  if (format === "name" && output.query === undefined)
    return { kind: "facts", lines: [], value: changedIds(plan), ...ending, notes };
  if (["tsv", "csv", "ndjson"].includes(format) && output.query === undefined)
    return {
      ...storedList(differenceView, planDifferenceRows(plan), (await call.session()).name),
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

/** Returns a plan's lines for a question. */
export async function planMessages(call: Call, read: ReadPlan): Promise<Message[]> {
  return (await planText(call, read, false)).map((line) => (isMessageRow(line) ? line : line.text));
}

/** Returns a plan's lines, with amounts in coins. @param all whether every value that was not compared is listed */
async function planText(call: Call, read: ReadPlan, all: boolean): Promise<TextLine[]> {
  return planLines(call.app.secrets.masked(read.plan), await readUnits(call, read), all);
}

async function readUnits(call: Call, { plan, relayers }: ReadPlan): Promise<PlanUnits> {
  const differing = [...plan.changes, ...plan.cannot].filter(({ noun }) => noun === "relayers");
  const placed = differing.map((part): Placed => relayers.get(part.id) ?? ("body" in part ? part.body : {}));
  return { relayers, symbols: await coinSymbolsFor(await call.session(), placed) };
}

function listingFlag({ not_compared }: Plan, isAll: boolean): string | undefined {
  return isAll || not_compared.length <= FEW ? undefined : "-v";
}

function buildEnding(plan: Plan, next: readonly { next: string }[], by: string | undefined): Ending {
  if (!planHasDifferences(plan)) return { notes: [planSameText(plan, by)] };
  const isApplicable = plan.changes.length > 0;
  return { failure: new RelayctlError("changes", planSummary(plan)), ...(isApplicable && { next }) };
}

function changedIds({ changes, cannot }: Plan): JsonObject[] {
  const ids = [...changes, ...cannot].map(({ noun, id }) => [`${noun}/${id}`, id] as const);
  return [...new Map(ids).values()].map((id) => ({ id }));
}
