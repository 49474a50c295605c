export type Label =
  | ("error" | "warning" | "note" | "hint")
  | ("undo" | "follow" | "retry" | "continue" | "see" | "next" | "again");

/** A line for the user, which may have a label that says what it is. */
export type Message = string | { [Each in Label]: Readonly<Record<Each, string>> }[Label];

export function readMessage(message: Message): { label?: Label; text: string } {
  if (typeof message === "string") return { text: message };
  const [[label, text] = []] = Object.entries(message) as [Label, string][];
  return { ...(label && { label }), text: text ?? "" };
}

/** Returns a message as a pipe and a program get it. */
export function messageText(message: Message): string {
  const { label, text } = readMessage(message);
  return label === undefined ? text : `${leadText(label)} ${text}`;
}

export function leadText(label: Label): string {
  return label === "hint" ? "  hint:" : `${label}:`;
}

/** Returns a message about one of several things, with its name first. */
export function withPrefix(prefix: string, message: Message): Message {
  return prefix === "" ? message : prefix + messageText(message);
}

export function changedText(message: Message, changed: (text: string) => string): Message {
  const { label, text } = readMessage(message);
  return label === undefined ? changed(text) : ({ [label]: changed(text) } as Message);
}
