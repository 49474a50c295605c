import type { App } from "../../app.ts";
import { groupDigits } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import { messageText, readMessage } from "../../message.ts";
import { type Annotation, annotationCommand } from "../../terminal/annotation.ts";
import { escapeText } from "../../terminal/escape.ts";
import type { Output } from "../../terminal/streams/output.ts";
import { errorText } from "../error-text.ts";

/** Matches the start of a line that a runner executes: `::error::`, even after spaces, and `##[group]` anywhere. */
const COMMAND = /((?:^|[\r\n])\s*):(?=:)|#(?=#\[)/g;

type Escape = "text" | "json";

/** Returns a text without workflow commands: it escapes each one's first character. */
function withoutCommands(text: string, form: Escape): string {
  return text.replace(COMMAND, (_, before: string | undefined) => {
    const code = (before === undefined ? "#" : ":").charCodeAt(0).toString(16);
    return (before ?? "") + (form === "json" ? `\\u${code.padStart(4, "0")}` : `\\u{${code}}`);
  });
}

function mayContainCommand(bytes: Uint8Array): boolean {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return chunk.includes("##[") || chunk.includes("::");
}

/** A run in a workflow of GitHub Actions, whose log executes lines that begin with `::`. */
export type Workflow = ReturnType<typeof openWorkflow>;

export function openWorkflow(world: App, command: () => string) {
  const lines: string[] = [];
  let ending = "done";
  const annotate = (level: Annotation["level"], title: string, text: string, place?: Annotation["place"]) =>
    world.stderr.write(annotationCommand({ level, title, text: world.secrets.masked(text), ...(place && { place }) }));
  const heard: App["heard"] = async (messages) => {
    for (const message of messages) {
      const { label, text } = readMessage(message);
      const line = escapeText(messageText(message));
      const isAside = label === "note" || label === "error" || (typeof message === "object" && "trace" in message);
      if (line !== "" && !isAside && !line.startsWith("  ") && lines.length < MOST_LINES) lines.push(line);
      if (label === "warning") await annotate("warning", workflowTitle(command()), escapeText(text));
    }
  };
  const app: App = Object.create(world, {
    heard: { value: heard },
    stderr: { get: () => guardOutput(world.stderr, "text") },
    inLog: { value: (output: Output, form: Escape) => guardOutput(output, form) },
  });
  return {
    /** The same world, without such lines in a service's text, and with annotations for warnings. */
    app,
    async failed(error: RelayctlError) {
      ending = `${error.failure} (exit code ${error.exitCode})`;
      const shown = errorText(error).map((line) => escapeText(messageText(line)));
      const text = shown.join("\n").replace(/^error: /, "");
      // stderr may be closed; the exit code then shows the error.
      const level = error.failure === "changes" ? "notice" : "error";
      const place = error.details.flatMap(({ where }) => placeIn(where))[0];
      await annotate(level, `${workflowTitle(command())}: ${ending}`, text, place).catch(() => {});
      lines.push(...shown);
    },
    /** Adds the lines printed for users to the summary of the step. */
    async end() {
      const path = world.env.GITHUB_STEP_SUMMARY;
      if (!path || lines.length === 0) return;
      const shown = world.secrets.masked([...new Set(lines)]);
      const text = world.secrets.redact(summaryText(`${workflowTitle(command())}: ${ending}`, shown));
      await world.files.append(path, text, LARGEST_SUMMARY).catch(async (error: unknown) => {
        const why = error instanceof RelayctlError ? error.message : "an unknown fault";
        await app.stderr.write(`note: the step summary was not written: ${escapeText(why)}\n`).catch(() => {});
      });
    },
  };
}

/** Matches a problem's place in a file: `fleet.yaml:282:7 relayers.6.name`. */
const PLACE = /^([^\s:]+):(\d+):(\d+)(?= |$)/;

function placeIn(where: string): NonNullable<Annotation["place"]> | [] {
  const [, file, line, column] = PLACE.exec(where) ?? [];
  return file === undefined ? [] : { file, line: Number(line), column: Number(column) };
}

const MOST_LINES = 1_000;

function workflowTitle(command: string): string {
  return `relayctl ${command}`.trimEnd();
}

function guardOutput(output: Output, form: Escape): Output {
  const write = async (chunk: string | Uint8Array) => {
    if (typeof chunk !== "string" && !mayContainCommand(chunk)) return await output.write(chunk);
    const text = typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    await output.write(withoutCommands(text, form));
  };
  return Object.create(output, { write: { value: write } });
}

/** GitHub ignores the summary of a step if it is longer. */
const LARGEST_SUMMARY = 2 ** 20;
const MOST_ERROR_LINES = 30;
const MOST_CHARACTERS = 8_000;

function summaryText(title: string, lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_ERROR_LINES).join("\n");
  const cut = shown.length > MOST_CHARACTERS ? `${shown.slice(0, MOST_CHARACTERS)}…` : shown;
  const more = lines.length > MOST_ERROR_LINES ? `\n… ${groupDigits(lines.length - MOST_ERROR_LINES)} more lines` : "";
  return `### ${escapeWorkflow(title)}\n\n<pre>\n${escapeWorkflow(cut + more)}\n</pre>\n\n`;
}

/** Escapes HTML and Markdown; within `<pre>`, Markdown interprets nothing else. */
function escapeWorkflow(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
