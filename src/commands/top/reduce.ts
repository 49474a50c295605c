import { breakLine } from "../../terminal/text/cut.ts";
import {
  chosenTopRows,
  isSameTopTarget,
  selectedTopRows,
  type TopEffect,
  type TopEvent,
  type TopPage,
  type TopState,
  type TopTarget,
  topFilterProblem,
  topLayout,
  topSource,
} from "./state.ts";

/** The commands of keys. Each asks as if it were typed. */
const COMMANDS: Readonly<Record<string, (target: TopTarget) => readonly string[]>> = {
  u: ({ relayerId }) => ["relayers", "unstick", relayerId],
  b: ({ relayerId, transactionId }) => [
    "tx",
    "bump",
    relayerId,
    ...(transactionId === undefined ? [] : [transactionId]),
  ],
  p: ({ relayerId }) => ["relayers", "pause", relayerId],
  r: ({ relayerId }) => ["relayers", "resume", relayerId],
  d: ({ relayerId }) => ["doctor", relayerId, "--no-pager"],
  w: ({ relayerId, transactionId }) =>
    transactionId === undefined
      ? ["relayers", "get", relayerId, "--web"]
      : ["tx", "get", relayerId, transactionId, "--web"],
};

/** The keys whose commands send without a question. */
const ASKED_HERE: Readonly<Record<string, string>> = { p: "Pause", r: "Resume" };

function commandFor(state: TopState, key: string, target: TopTarget) {
  const words = Object.hasOwn(COMMANDS, key) ? COMMANDS[key]?.(target) : undefined;
  if (!words) return undefined;
  const { relayerId, transactionId = "" } = target;
  if (relayerId.startsWith("-") || transactionId.startsWith("-"))
    return { problem: "an ID that starts with - would be read as a flag; run the command yourself" };
  return { argv: [...(topSource(state, target.context)?.flags ?? []), ...words] };
}

export interface TopStep {
  state: TopState;
  effect?: TopEffect | undefined;
}

const MOST_EVENTS = 200;

export function reduceTop(before: TopState, event: TopEvent): TopStep {
  const state = { ...before, now: event.now };
  switch (event.type) {
    case "key":
      return pressKey({ ...state, message: undefined }, event.key);
    case "resize":
      return { state: breakPage({ ...state, columns: event.columns, rows: event.rows }) };
    case "painted": {
      const { asking } = state;
      return { state: { ...state, asking: asking && { ...asking, isShown: asking === event.asking } } };
    }
    case "read":
      return { state: addRead(state, event) };
    case "said":
      return { state: { ...state, message: event.text } };
    default:
      return { state: breakPage({ ...state, pages: state.pages.map((page) => fillPage(page, event)) }) };
  }
}

/** Events are about relayers that `--where` selects, now or before. */
function addRead(before: TopState, { now, source, events }: Extract<TopEvent, { type: "read" }>): TopState {
  const sources = before.sources.map((each) => (each.name === source.name ? source : each));
  const state = { ...before, sources };
  const selected = new Set(
    [before, state].flatMap((each) =>
      selectedTopRows(each).flatMap(({ context, relayer: { id } }) => (context === source.name ? id : [])),
    ),
  );
  const added = events.flatMap(({ id, text }) => {
    if (id !== undefined && !selected.has(id)) return [];
    const where = [...(sources.length > 1 ? [source.name] : []), ...(id === undefined ? [] : [id])];
    return { time: now, text: [...where, text].join("  ") };
  });
  return { ...state, events: [...before.events, ...added].slice(-MOST_EVENTS) };
}

function breakPage(state: TopState): TopState {
  const pages = state.pages.map((page) =>
    page.kind === "transaction" && page.lines
      ? { ...page, lines: page.lines.flatMap((line) => breakLine(line, state.columns)) }
      : page,
  );
  return { ...state, pages };
}

function fillPage(page: TopPage, event: Extract<TopEvent, { target: TopTarget }>): TopPage {
  if (page.kind === "keys" || !isSameTopTarget(page.target, event.target)) return page;
  if (page.kind === "transaction") return event.type === "lines" ? { ...page, lines: event.lines } : page;
  if (event.type === "details") return { ...page, details: event.lines };
  if (event.type !== "transactions") return page;
  const { transactions } = event;
  const isThere = transactions.some(({ id }) => id === page.selected);
  return { ...page, transactions, selected: isThere ? page.selected : transactions[0]?.id };
}

function pressKey(state: TopState, key: string): TopStep {
  if (key === "ctrl-c" || key === "end") return { state, effect: { kind: "quit" } };
  if (state.asking) return state.asking.isShown ? answerQuestion(state, state.asking, key) : { state };
  if (state.typing) return { state: typeFilter(state, state.typing.text, key) };
  return moveSelection(state, key) ?? openPage(state, key) ?? actOnRelayer(state, key);
}

/** Only `y` agrees; every other key leaves everything as it is. */
function answerQuestion(state: TopState, { argv }: NonNullable<TopState["asking"]>, key: string): TopStep {
  const after = { ...state, asking: undefined };
  if (key === "y" || key === "Y") return { state: after, effect: { kind: "run", argv } };
  return { state: { ...after, message: "Canceled. Nothing was sent." } };
}

function typeFilter(state: TopState, text: string, key: string): TopState {
  if (key === "escape") return { ...state, typing: undefined };
  if (key === "enter") {
    const problem = topFilterProblem(state, text);
    return problem === undefined
      ? { ...state, typing: undefined, filter: text }
      : { ...state, typing: { text, problem } };
  }
  if (key === "backspace") return { ...state, typing: { text: [...text].slice(0, -1).join("") } };
  if (key === "ctrl-u") return { ...state, typing: { text: "" } };
  return [...key].length === 1 ? { ...state, typing: { text: text + key } } : state;
}

function moveSelection(state: TopState, key: string): TopStep | undefined {
  const page = state.pages.at(-1);
  const { room } = topLayout(state);
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    "page-up": -room,
    "page-down": room,
    home: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  if (!page) {
    const rows = chosenTopRows(state);
    const index = rows.findIndex(({ context, relayer }) => isSelected(state, context, relayer.id));
    const row = rows[clampIndex(Math.max(0, index) + step, rows.length)];
    return { state: row ? { ...state, selected: { context: row.context, id: row.relayer.id } } : state };
  }
  if (page.kind === "keys") return { state };
  if (page.kind === "transaction") {
    const length = Math.max(1, (page.lines?.length ?? 0) - room + 1);
    return { state: withTop(state, { ...page, offset: clampIndex(page.offset + step, length) }) };
  }
  const { transactions = [], selected } = page;
  const index = transactions.findIndex(({ id }) => id === selected);
  return {
    state: withTop(state, { ...page, selected: transactions[clampIndex(index + step, transactions.length)]?.id }),
  };
}

function clampIndex(index: number, length: number): number {
  return Math.max(0, Math.min(length - 1, index));
}

function withTop(state: TopState, page: TopPage): TopState {
  return { ...state, pages: [...state.pages.slice(0, -1), page] };
}

function isSelected({ selected }: TopState, context: string, id: string): boolean {
  return selected?.context === context && selected.id === id;
}

function openPage(state: TopState, key: string): TopStep | undefined {
  const page = state.pages.at(-1);
  switch (key) {
    case "q":
    case "escape":
      if (page) return { state: { ...state, pages: state.pages.slice(0, -1) } };
      if (key === "escape" && state.filter !== "") return { state: { ...state, filter: "" } };
      return { state, effect: { kind: "quit" } };
    case "?":
      return page?.kind === "keys" ? { state } : { state: { ...state, pages: [...state.pages, { kind: "keys" }] } };
    case "/":
      return page ? { state } : { state: { ...state, typing: { text: state.filter } } };
    case "s":
      return page ? { state } : { state: { ...state, sort: (state.sort + 1) % state.sorts.length } };
    case "enter":
      return enterPage(state, page);
    default:
      return undefined;
  }
}

function enterPage(state: TopState, page: TopPage | undefined): TopStep {
  const target = findTarget(state);
  const isOnList = page === undefined;
  if (!target || !(isOnList || page.kind === "relayer") || (page && target.transactionId === undefined))
    return { state };
  const next: Extract<TopEffect, { kind: "open" }>["page"] = isOnList
    ? { kind: "relayer", target }
    : { kind: "transaction", target, offset: 0 };
  return { state: { ...state, pages: [...state.pages, next] }, effect: { kind: "open", page: next } };
}

function findTarget(state: TopState): TopTarget | undefined {
  const page = state.pages.findLast(({ kind }) => kind !== "keys");
  if (page?.kind === "relayer") return { ...page.target, transactionId: page.selected };
  if (page?.kind === "transaction") return page.target;
  const rows = chosenTopRows(state);
  const row = rows.find(({ context, relayer }) => isSelected(state, context, relayer.id)) ?? rows[0];
  return row && { context: row.context, relayerId: row.relayer.id };
}

function actOnRelayer(state: TopState, key: string): TopStep {
  const target = findTarget(state);
  const found = target && commandFor(state, key, target);
  if (!found) return { state };
  if ("problem" in found) return { state: { ...state, message: found.problem } };
  const { argv } = found;
  const { relayerId, context } = target;
  const verb = ASKED_HERE[key];
  if (verb === undefined) return { state, effect: { kind: "run", argv } };
  return { state: { ...state, asking: { question: `${verb} ${relayerId} in ${context}? [y/N]`, argv } } };
}
