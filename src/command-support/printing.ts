import type { App } from "../app.ts";
import { type JsonObject, writeJson } from "../contract/json.ts";
import { changedMessage, isMessageRow, isOutcome, type Message, messageText, readMessage } from "../message.ts";
import { asciiOutput, asciiText, showsAscii } from "../terminal/ascii.ts";
import { type ColorChoice, hasColor, hasLinks, hasPlainLines } from "../terminal/capabilities.ts";
import { escapeText } from "../terminal/escape.ts";
import { withLinks } from "../terminal/links.ts";
import type { Printer } from "../terminal/printer.ts";
import { createStyle } from "../terminal/style.ts";
import { type ListView, onePageView, type ResourceView } from "../terminal/view.ts";
import type { Call, Say } from "./call.ts";

export function printerOf({ app, common, say }: Pick<Call, "app" | "common" | "say">): Printer {
  const { env, stdout, clock, manyPass, secrets, links } = app;
  const color = hasColor(env, common.color ?? "auto", stdout.isTerminal);
  const isAscii = showsAscii(stdout, env);
  return {
    stdout,
    secrets,
    color,
    isPlain: hasPlainLines(env),
    isAscii,
    now: clock.now(),
    note: say,
    isQuiet: common.quiet === true,
    manyPass,
    ...(hasLinks(env, stdout.isTerminal) && { links }),
  };
}

type MessageWorld = Pick<App, "env" | "stderr" | "secrets"> & Partial<Pick<App, "links" | "heard">>;
type Options = { quiet?: boolean | undefined; color?: ColorChoice | undefined };

/** @param context returns the name of a protected context, which stands out on a terminal */
export function messageWriter(
  app: MessageWorld,
  options: Options,
  context: () => string | undefined = () => undefined,
): Say {
  const write = linesWriter(app, options, context);
  return (line) => write([line]);
}

export function linesWriter(
  { env, stderr: stream, secrets, links, heard }: MessageWorld,
  { quiet, color = "auto" }: Options,
  context: () => string | undefined = () => undefined,
): (lines: readonly Message[]) => Promise<void> {
  return async (lines) => {
    if (quiet || lines.length === 0) return;
    const stderr = asciiOutput(stream, env);
    // A wrapped or cut line would hide a secret from the search.
    const shown = (text: string) => (stderr === stream ? secrets.masked(text) : asciiText(secrets.masked(text)));
    const messages = lines.map((line) => changedMessage(line, shown));
    await heard?.(messages);
    const isPlain = !stderr.isTerminal || hasPlainLines(env);
    const isColored = hasColor(env, color, !isPlain);
    if (isPlain && !isColored)
      return await stderr.write(`${messages.map((line) => escapeText(messageText(line))).join("\n")}\n`);
    const { coloredMessage, drawnMessage } = await import("../terminal/message.ts");
    const style = await createStyle(isColored);
    if (isPlain) return await stderr.write(`${messages.map((line) => coloredMessage(line, style)).join("\n")}\n`);
    const { columns } = stderr;
    const terminal = { columns, style, context: context() };
    const drawn = messages.map((line) => drawnMessage(line, terminal));
    await stderr.write(links && hasLinks(env, true) ? withLinks(drawn.join(""), links.words) : drawn.join(""));
  };
}

export async function sayReceipt(say: Say, lines: readonly Message[] = []): Promise<void> {
  const outcome = lines.findIndex(isOutcome);
  for (const [index, line] of lines.entries())
    await say(outcome >= 0 && index > outcome && typeof line === "string" ? { detail: line } : line);
}

/** Returns a line with the name of its context, unless it contains it: `note: eu: the list changed`. */
export function withContextName(line: Message, name: string): Message {
  const { text } = readMessage(line);
  if (text.split(/[\s:;,()]+/).includes(name)) return line;
  const prefix = `${name}: `;
  if (isOutcome(line)) return { ...line, done: prefix + text };
  if (isMessageRow(line)) return { row: ["", `${name}:`, ...line.row] };
  return changedMessage(line, () => prefix + text);
}

/** A project file's labels count if it is trusted, and if they have no other address on this machine. */
export async function labelReader({ config, projectFile }: Pick<App, "config" | "projectFile">) {
  const [stored, project] = await Promise.all([
    config.read().catch(() => undefined),
    projectFile?.find().catch(() => undefined),
  ]);
  const added = project?.trust === "trusted" ? project.labels : [];
  if (!stored?.labels && added.length === 0) return undefined;
  const { labelsByAddress, mergedLabels, conflictingLabel } = await import("../session/labels.ts");
  const all = mergedLabels(stored, added);
  return labelsByAddress(all.filter((label) => label.from === undefined || !conflictingLabel(all, label)));
}

export function storedList(resource: ResourceView, items: readonly JsonObject[], where: string): ListView {
  return {
    kind: "list",
    resource,
    pages: onePageView(items, new TextEncoder().encode(writeJson([...items]))),
    where,
    inOrder: true,
  };
}
