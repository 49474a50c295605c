export type Label =
  | ("error" | "warning" | "note" | "hint")
  | ("undo" | "follow" | "retry" | "continue" | "see" | "next" | "again");

/** What a write led to: a pipe gets its text, and a terminal its cells, and its facts in columns below them. */
export interface ReceiptOutcome {
  done: string;
  cells?: readonly string[];
  /** What was changed or sent, as the cells name it. */
  id?: string;
  facts?: readonly Fact[];
}

export type Fact = readonly [label: string, value: string];

/** A row of a table: spaces and cells in turn. */
export interface Row {
  row: readonly string[];
}

/**
 * A line for the user, which may have a label that says what it is. A `detail` belongs to the outcome above it, a `trace`
 * is of `--verbose`, and an `environment` is a note about variables, which count for all contexts.
 */
export type Message =
  | string
  | ReceiptOutcome
  | Row
  | { detail: string }
  | { trace: string }
  | { environment: string }
  | { [Each in Label]: Readonly<Record<Each, string>> }[Label];

export function isOutcome(message: Message): message is ReceiptOutcome {
  return typeof message === "object" && "done" in message;
}

export function isMessageRow(message: object | string): message is Row {
  return typeof message === "object" && "row" in message;
}

export function readMessage(message: Message): { label?: Label; text: string } {
  if (typeof message === "string") return { text: message };
  if (isOutcome(message)) return { text: message.done };
  if (isMessageRow(message)) return { text: message.row.join("") };
  if ("detail" in message) return { text: message.detail };
  if ("trace" in message) return { text: message.trace };
  if ("environment" in message) return { label: "note", text: message.environment };
  const [[label, text] = []] = Object.entries(message) as [Label, string][];
  return { ...(label && { label }), text: text ?? "" };
}

/** Returns a message as a pipe and a program get it. */
export function messageText(message: Message): string {
  const { label, text } = readMessage(message);
  return label === undefined ? text : `${messageLead(label)} ${text}`;
}

export function messageLead(label: Label): string {
  return label === "hint" ? "  hint:" : `${label}:`;
}

/** Returns a message about one of several things, with its name first. */
export function messageWithPrefix(prefix: string, message: Message): Message {
  return prefix === "" ? message : prefix + messageText(message);
}

export function changedMessage(message: Message, changed: (text: string) => string): Message {
  if (typeof message === "string") return changed(message);
  if (isMessageRow(message)) return { row: message.row.map(changed) };
  if (!isOutcome(message))
    return Object.fromEntries(Object.entries(message).map(([label, text]) => [label, changed(text)])) as Message;
  const { done, cells = [done], facts = [], id } = message;
  const changedFacts = facts.map(([label, value]): Fact => [label, changed(value)]);
  return { done: changed(done), cells: cells.map(changed), facts: changedFacts, ...(id && { id: changed(id) }) };
}
