import type { LineFile } from "../../../app.ts";
import { type DiffFlag, isDryRun } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Message } from "../../../message.ts";
import { cannotUndoText, receiptUndoCommand } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { shellSpelling, userShell } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { changesOf } from "../change/change-text.ts";
import { undoOfRelayer } from "../change/undo.ts";

export interface UndoFileFlag {
  undoFile?: string;
}

interface Change {
  id: string;
  body: JsonObject;
  before: Relayer | undefined;
}

/** The file that undoes a run: IDs for `pause` and `resume`, otherwise a command for each relayer. */
export type UndoFile = ReturnType<typeof undoFileOver>;

export async function openUndoFile(call: Call<UndoFileFlag>): Promise<UndoFile | undefined> {
  const { undoFile: path } = call.flags;
  return path === undefined ? undefined : undoFileOver(call, path, await call.app.lineFile(path));
}

export async function withUndoFile(
  call: Call<UndoFileFlag & DiffFlag>,
  change: (undoFile: UndoFile | undefined) => Promise<View>,
): Promise<View> {
  const undoFile = isDryRun(call) ? undefined : await openUndoFile(call);
  if (!undoFile) return await change(undefined);
  const ended = await change(undoFile).catch(async (error: unknown) => {
    for (const line of await undoFile.end()) await call.say(line);
    throw error;
  });
  const lines = await undoFile.end();
  return ended.kind === "one" && ended.receipt ? { ...ended, receipt: [...ended.receipt, ...lines] } : ended;
}

function undoFileOver(call: Call, path: string, file: LineFile) {
  let verb: string | undefined;
  let kept = 0;
  const missed: string[] = [];

  async function keep(change: Change): Promise<void> {
    try {
      verb ??= verbFor(change.body);
      const line = verb === "update" ? await commandFor(change, await call.session()) : change.id;
      await file.append(call.app.secrets.redact(line));
      kept++;
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      missed.push(change.id);
      if (missed.length === 1) await call.say({ warning: `${error.message}; the changes continue` });
    }
  }

  return {
    /** Records how to undo a change that was applied, or may have been. A full disk does not stop the changes. */
    async keeping<T>(change: Change, send: () => Promise<T>): Promise<T> {
      try {
        const result = await send();
        await keep(change);
        return result;
      } catch (error) {
        if (error instanceof RelayctlError && error.applied !== "no") await keep(change);
        throw error;
      }
    },
    async end(): Promise<Message[]> {
      await file.close();
      const isUsable = kept > 0 && !file.isTorn;
      const undo = isUsable && verb !== undefined ? [reversalHint(call, await call.session(), { path, verb })] : [];
      const torn = file.isTorn
        ? [{ warning: `the last line of ${path} may be cut off; remove it before you use the file` }]
        : [];
      return [...undo, ...torn, ...(missed.length === 0 ? [] : [{ warning: `not in ${path}: ${missed.join(", ")}` }])];
    },
  };
}

function verbFor({ paused, ...others }: JsonObject): string {
  if (Object.keys(others).length > 0) return "update";
  return paused === true ? "resume" : "pause";
}

function commandFor({ id, body, before }: Change, session: Session): string {
  const undo = before ? undoOfRelayer(changesOf(body, before), before) : { because: "the previous value is unknown" };
  const found = receiptUndoCommand(undo, session, "relayers", "update", id);
  return "because" in found ? `# ${id}: ${cannotUndoText(found.because)}` : found.line;
}

interface Reversal {
  path: string;
  verb: string;
}

function reversalHint(call: Call, session: Session, { path, verb }: Reversal): Message {
  const shell = userShell(call.app.env);
  const file = shellSpelling(path, shell);
  const inWords = { undo: `${verb === "update" ? "the commands" : `relayers ${verb} the IDs`} in ${path}` };
  if (file === undefined) return inWords;
  if (verb === "update") return shell === "other" ? inWords : { undo: `${RUN[shell]} ${file}` };
  const piped = undoFileCommand(call, session, { path, verb });
  return piped === undefined ? inWords : { undo: piped };
}

/** Returns the command that reads IDs from a file as stdin, without prompts; undefined for an unknown shell. */
export function undoFileCommand({ app }: Call, session: Session, { path, verb }: Reversal): string | undefined {
  const file = shellSpelling(path, userShell(app.env));
  const consent = session.protected ? ["--confirm", session.name] : ["--yes"];
  const pasted = session.pasteable(["relayers", verb, "-", ...consent]);
  return file !== undefined && "line" in pasted ? `${pasted.line} < ${file}` : undefined;
}

const RUN = { bash: "bash", sh: "sh", fish: "fish", powershell: "powershell -File" } as const;
