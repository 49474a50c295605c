import type { App } from "../../app.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { appliedOf, type RecordedWrite, shortRuns } from "../../journal/journal.ts";
import { undoneBy, undosSince } from "../../recovery/unknown-writes.ts";
import { isDemoTarget } from "../../session/demo-target.ts";
import { isRestored } from "../../session/journaling/raised-caps.ts";
import { cannotUndoText, wordsWithIds } from "../../session/receipt-words.ts";
import { pasteableWords } from "../../shell/shell-words.ts";
import { leafPaths, valueAtPath } from "../../terminal/select/path.ts";
import { type BlockLine, type Cell, toCell, type View } from "../../terminal/view.ts";
import { changesPaymentCoin, createChangesMemberText, type MemberText } from "../../views/history/changes.ts";
import { type HistoryItem, historyItem, historyItemTransaction } from "../../views/history/item.ts";
import { type Drawing, writeAppliedCell, writeTarget, writeTimeCell } from "../../views/history/write.ts";
import type { Call, CommandFile } from "../command.ts";
import { NOTHING_CHANGED, reversalPlan, reversedResource, type UndoPlan } from "../undo/reversal.ts";
import { chosenRun, chosenWrites, chosenWritesNotFound } from "./chosen-writes.ts";
import { openWholeHistory } from "./open.ts";

type Shortened = (run: string) => string;

interface ShownWrite {
  write: RecordedWrite;
  item: HistoryItem;
  next: Next | undefined;
  textOf: MemberText;
}

function runLines(writes: readonly ShownWrite[], drawing: Drawing, shortened: Shortened): BlockLine[] {
  const [first] = writes;
  if (!first) return [];
  const { run, time, user, host, ci, context, server, command, reason, once } = first.item;
  const who = [user, host].filter((name) => name !== null).map((name) => toCell(name).text);
  return [
    showLine("run", toCell(run)),
    showLine("when", writeTimeCell(time, drawing)),
    showLine("who", { text: who.join("@") }),
    ...givenLines("ci job", ci),
    ...givenLines("context", context),
    showLine("server", toCell(server)),
    showLine("command", toCell(command)),
    ...givenLines("reason", reason),
    ...givenLines("once", once),
    ...writes.flatMap((write, index) => [
      ...writeLines(write, drawing),
      ...nextLines(write, writes.slice(index + 1), shortened),
    ]),
  ];
}

function writeLines(shown: ShownWrite, drawing: Drawing): BlockLine[] {
  const { item } = shown;
  const { operation, transaction_id, applied, failure, message, status } = item;
  const ended = [
    failure === applied ? null : failure,
    message,
    status === null ? null : `status ${toCell(status).text}`,
  ].filter((part) => part !== null);
  const outcome = writeAppliedCell(item, drawing);
  return [
    showLine(operation, { text: [writeTarget(item), transaction_id].filter((id) => id !== null).join(" ") }),
    innerLine("write", toCell(item.id)),
    innerLine("applied", { ...outcome, text: [outcome.text, ...ended.map((part) => toCell(part).text)].join(" · ") }),
    ...(item.settled_later ? [innerLine("settled", toCell(item.ended))] : []),
    ...changeLines(shown),
    ...afterLines(shown),
  ];
}

function nextLines({ next, item }: ShownWrite, later: readonly ShownWrite[], shortened: Shortened): BlockLine[] {
  if (!next) return [];
  if ("undoneBy" in next) return [innerLine("undone", { text: `by run ${shortened(next.undoneBy)}` })];
  if ("because" in next) return [innerLine("undo", { text: cannotUndoText(next.because) })];
  const isShared = later.some(({ next: other }) => other && "command" in other && other.command === next.command);
  return isShared ? [] : [innerLine(next.label, { text: next.command.replace(item.run, shortened(item.run)) })];
}

function changeLines({ write: { intent }, textOf }: ShownWrite): BlockLine[] {
  const { body, before, kind } = intent;
  if (!isJsonObject(body)) return body === undefined ? [] : [innerLine("body", toCell(body))];
  const old = kind === "patch" ? before : undefined;
  return leafPaths(body).map((path) => {
    const now = textOf(path, valueAtPath(body, path));
    return innerLine(path, { text: old ? `${textOf(path, valueAtPath(old, path))} → ${now}` : now });
  });
}

const SHOWN_AFTER = ["hash", "status", "nonce", "block", "fee_paid"];

function afterLines({ item: { operation, before, after }, textOf }: ShownWrite): BlockLine[] {
  if (!operation.startsWith("tx.")) return [];
  const was = isJsonObject(before) ? givenLines("hash before", before.hash, true) : [];
  const now: JsonObject = objectIn(after);
  const shown = SHOWN_AFTER.filter((name) => (now[name] ?? "") !== "");
  return [...was, ...shown.map((name) => innerLine(name.replace("_", " "), { text: textOf(name, now[name]) }))];
}

function givenLines(label: string, value: JsonValue | undefined, indent?: true): BlockLine[] {
  if (value === null || value === undefined || value === "") return [];
  return [{ label, value: toCell(value), ...(indent && { indent }) }];
}

function showLine(label: string, value: Cell): BlockLine {
  return { label, value };
}

function innerLine(label: string, value: Cell): BlockLine {
  return { label, value, indent: true };
}

export const historyShow: CommandFile = {
  summary: "Show one run and its writes: who, when, why, and the outcome of each",
  sends: "journal",
  ends: { not_found: "context or run not found" },
  variables: ["RELAYCTL_JOURNAL"],
  examples: [
    "relayctl history show 3f2a91c0",
    "relayctl history show 3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f",
    "relayctl history show 3f2a91c0 -o json",
  ],
  args: [{ name: "<run>", description: "ID of a run or a write, or the start of one" }],
  description:
    "Show a run of relayctl from the journal: who ran it, where, when, and why, and each write with its target, the values before and after, the outcome, and the command that undoes or follows it. Sends nothing and needs no token.",
  async prepare({ args }, problems) {
    if (args[0] === "") problems.add("<run>", "is empty");
  },
  run: runHistoryShow,
};

async function runHistoryShow(call: Call): Promise<View> {
  const { app, args } = call;
  const journal = await openWholeHistory(call);
  const writes = await chosenWrites(journal, args[0] ?? "");
  const [first] = writes;
  if (!first) throw chosenWritesNotFound(args[0] ?? "", call);
  const drawing = { now: app.clock.now(), isTerminal: app.stdout.isTerminal };
  const undos = await undosSince(journal, receivedTime(first.intent.time));
  const nextOf = createNextSteps(await chosenRun(journal, first.intent.run), undos, app);
  const items = await Promise.all(writes.map(async (write) => historyItem(write, await isRestored(journal, write))));
  const coin = await changesPaymentCoin(journal, first);
  const found = writes.flatMap((write, index) => {
    const item = items[index];
    return item ? [{ write, item, next: nextOf(write), textOf: createChangesMemberText(write, coin) }] : [];
  });
  const { run, time, user, host, ci, context, server, command, reason, once } = historyItem(first);
  const value = {
    run,
    time,
    user,
    host,
    ci,
    context,
    server,
    command,
    reason,
    once,
    writes: found.map(({ item, next }) => ({ ...item, next: null, cannot_undo: null, ...undoMembers(next) })),
  };
  const runs = [run, ...found.flatMap(({ next }) => (next && "undoneBy" in next ? [next.undoneBy] : []))];
  const shortened = drawing.isTerminal ? await shortRuns(journal, runs) : (each: string) => each;
  return { kind: "facts", lines: runLines(found, drawing, shortened), value, name: run };
}

function undoMembers(next: Next | undefined) {
  if (!next) return {};
  if ("undoneBy" in next) return { cannot_undo: `already undone by run ${next.undoneBy}` };
  return "because" in next ? { cannot_undo: next.because } : { next: next.command };
}

type Next = { label: Label; command: string } | { because: string } | { undoneBy: string };

type Label = "undo" | "follow" | "settle";

type Step = { label: Label; words: readonly string[] } | { because: string };

function createNextSteps(
  run: readonly RecordedWrite[],
  undos: readonly RecordedWrite[],
  app: Pick<App, "env" | "secrets">,
): (write: RecordedWrite) => Next | undefined {
  const plan = reversalPlan(run);
  return (write) => {
    const undo = undoneBy(write, undos);
    if (undo) return { undoneBy: undo.intent.run };
    const found = stepAfter(write, plan);
    if (!found || "because" in found) return found;
    const line = pasteableWords([...targetWords(write), ...found.words], app);
    return "line" in line ? { label: found.label, command: line.line } : line;
  };
}

function stepAfter(write: RecordedWrite, { reversals, refused }: UndoPlan): Step | undefined {
  const { intent, outcome } = write;
  const applied = appliedOf(write);
  if (applied === "unknown") return { label: "settle", words: ["history", "settle"] };
  if (applied === "no") return undefined;
  const transaction = historyItemTransaction(write);
  const { relayer_id: relayer } = intent.ids;
  if (transaction !== undefined && typeof relayer === "string")
    return { label: "follow", words: ["tx", "get", ...wordsWithIds([], [relayer, transaction])] };
  const created = intent.kind === "create" ? outcome?.after?.id : undefined;
  const [noun = ""] = intent.operation.split(".");
  if (typeof created === "string" && created !== "-")
    return { label: "undo", words: [noun, "delete", ...wordsWithIds([], [created])] };
  const id = reversedResource(intent);
  const refusal = refused.find((each) => each.id === id);
  if (refusal) return { because: refusal.because };
  if (!reversals.some((each) => each.id === id)) return { because: NOTHING_CHANGED };
  return { label: "undo", words: ["undo", intent.run, ...(refused.length > 0 ? ["--partly"] : [])] };
}

function targetWords({ intent }: RecordedWrite): readonly string[] {
  const { context } = intent;
  if (isDemoTarget(intent)) return ["--demo"];
  return typeof context === "string" && context !== "" && !context.startsWith("-") ? ["-c", context] : [];
}
