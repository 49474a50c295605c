import { shownInstead } from "../../../command-support/shown.ts";
import { operations } from "../../../contract/operations.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Page, View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { type Code, RELAYER_CODES, type RelayerCode, relayerCheck, type Severity } from "../codes.ts";
import { examine } from "../examine.ts";
import type { Examination } from "../finding.ts";
import { readFacts } from "../read/read-facts.ts";
import { findingLines, findingView, itemOf, skippedItem, skippedTexts } from "./view.ts";

/** What a run of doctor is asked for. */
export interface DoctorRequest {
  ids: readonly string[] | undefined;
  all: boolean;
  codes: readonly Code[];
  /** The least severity that fails. */
  failOn: Severity;
}

const RANKS: readonly Severity[] = ["fail", "warn", "note"];

/** Examines a service and its relayers. */
export async function runDoctor(call: Call, request: DoctorRequest): Promise<View> {
  const shown = await shownInstead(call, { operation: operations["relayers.list"] });
  if (shown) return shown;
  const { examination, now } = await examined(call, request);
  return await viewOf(call, examination, now, request);
}

async function examined(call: Call, { ids, all, codes }: DoctorRequest) {
  const isClose = codes.some((code) => code in RELAYER_CODES && needsMore(code as RelayerCode));
  try {
    const { leftOut, ...facts } = await readFacts(call, { ids, all, isClose });
    const { findings, skipped } = examine(facts, codes);
    const tooMany = leftOut === 0 ? [] : [{ code: null, relayer: null, reason: tooManyWords(leftOut) }];
    return { now: facts.now, examination: { findings: worstFirst(findings), skipped: [...skipped, ...tooMany] } };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure !== "auth") throw error;
    return { now: call.app.clock.now(), examination: withoutToken(error, codes) };
  }
}

/** Facts that the lists show. */
const LISTED: readonly string[] = ["list", "network", "pause"];

function needsMore(code: RelayerCode): boolean {
  return relayerCheck(code).ofRelayer.some((name) => !LISTED.includes(name));
}

function tooManyWords(count: number): string {
  return `${count} further relayers were not examined: specify their IDs, or use --all`;
}

/** Without a token nothing can be sent, which is a finding too. */
function withoutToken({ message }: RelayctlError, codes: readonly Code[]): Examination {
  const remedy = { argv: ["auth", "login"], isComplete: false };
  const finding = { code: "SVC-AUTH", severity: "fail", relayer: null, message, remedy } as const;
  const others = codes.filter((code) => code !== "SVC-AUTH");
  return {
    findings: codes.includes("SVC-AUTH") ? [finding] : [],
    skipped: others.map((code) => ({ code, relayer: null, reason: message })),
  };
}

function worstFirst(findings: Examination["findings"]): Examination["findings"] {
  return RANKS.flatMap((severity) => findings.filter((each) => each.severity === severity));
}

async function viewOf(call: Call, examination: Examination, now: number, { failOn }: DoctorRequest): Promise<View> {
  const { app, output } = call;
  const { findings, skipped } = examination;
  const failure = failureOf(findings, failOn);
  const { name } = await call.session().catch(() => ({ name: "the service" }));
  const items = findings.map(itemOf);
  const format = output.format ?? (app.stdout.isTerminal ? "table" : "tsv");
  if (["tsv", "csv", "ndjson", "name"].includes(format) && output.query === undefined) {
    const notes = [...skippedTexts(skipped).map((text) => `skipped: ${text}`), summaryOf(findings, name)];
    return {
      kind: "list",
      resource: findingView,
      pages: onePage(items),
      where: name,
      inOrder: true,
      nothing: null,
      ending: async () => ({ notes, ...(failure && { failure }) }),
    };
  }
  const columns = app.stdout.isTerminal ? app.stdout.columns : Number.POSITIVE_INFINITY;
  return {
    kind: "facts",
    lines: findingLines(examination, { columns, now }),
    value: { findings: items, skipped: skipped.map(skippedItem) },
    notes: [summaryOf(findings, name)],
    ...(failure && { failure }),
  };
}

async function* onePage(items: readonly ReturnType<typeof itemOf>[]): AsyncGenerator<Page> {
  yield { items, total: items.length, body: new Uint8Array() };
}

/** Returns `7 findings in demo: 2 fail, 4 warn, 1 note`. */
function summaryOf(findings: Examination["findings"], name: string): string {
  const count = (severity: Severity) => findings.filter((each) => each.severity === severity).length;
  const parts = RANKS.flatMap((severity) => (count(severity) === 0 ? [] : `${count(severity)} ${severity}`));
  if (parts.length === 0) return `nothing found in ${name}`;
  return `${findings.length} ${findings.length === 1 ? "finding" : "findings"} in ${name}: ${parts.join(", ")}`;
}

function failureOf(findings: Examination["findings"], failOn: Severity): RelayctlError | undefined {
  const failing = findings.filter(({ severity }) => RANKS.indexOf(severity) <= RANKS.indexOf(failOn));
  if (failing.length === 0) return undefined;
  const many = failing.length === 1 ? "1 finding fails" : `${failing.length} findings fail`;
  return new RelayctlError("unmet", `the examination failed: ${many}`);
}
