import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markMasked } from "../../contract/secret-fields.ts";
import { interruptedError, unsentError, usageError } from "../../errors.ts";
import { EDITOR_GRACE } from "../../timing.ts";
import { commandWords, OPEN_QUOTE } from "../command-words.ts";
import { type Environment, programEnvironment, readEnv } from "../environment.ts";
import { createFile } from "../files/create-file.ts";
import { throwFileError } from "../files/file-error.ts";
import { readText } from "../files/read-text.ts";
import { programStartProblem } from "../token/run-program.ts";

export type EditorFile = Awaited<ReturnType<typeof createEditorFile>>;

const MAX_BYTES = 8 * 2 ** 20;

/** Creates a file for an editor, in a separate private folder. @throws RelayctlError usage without a usable editor */
export async function createEditorFile(name: string, environment: EditorEnvironment & { platform: string }) {
  const editor = editorCommand(environment.env, environment.platform);
  const folder = await mkdtemp(join(tmpdir(), "relayctl-")).catch(throwFileError(tmpdir(), "written"));
  const path = join(folder, `${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_NAME)}.jsonc`);
  return {
    path,
    /** @throws RelayctlError usage without an editor, declined if it fails */
    async edit(text: string) {
      await rm(path, { force: true }).catch(throwFileError(path, "written"));
      await createFile(path, markMasked(text));
      await runEditor(editor, path, environment);
      return (await readText(path, MAX_BYTES)) ?? "";
    },
    /** Never fails: leftovers stay in a private folder. */
    remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}),
  };
}

const LONGEST_NAME = 60;

type EditorCommand = ReturnType<typeof editorCommand>;

/** Returns the user's editor: `$VISUAL`, `$EDITOR`, or an editor of every machine. @throws RelayctlError usage */
export function editorCommand(env: Environment, platform: string) {
  for (const name of ["VISUAL", "EDITOR"]) {
    const typed = readEnv(env, name)?.trim();
    if (typed) return { argv: requireWords(name, typed), from: `$${name}` };
  }
  const program = platform === "win32" ? "notepad" : "vi";
  return { argv: [program], from: program };
}

function requireWords(name: string, typed: string): string[] {
  const words = commandWords(typed);
  if (words) return words;
  throw usageError([{ where: `$${name}`, given: typed, rule: OPEN_QUOTE }]);
}

interface EditorEnvironment {
  env: Environment;
  /** Ends the editor; the reason is a signal's failure word. */
  interrupt: AbortSignal;
  clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** Runs a function that uses the terminal exclusively, including Ctrl-C. */
  lendTerminal<T>(use: () => Promise<T>): Promise<T>;
}

/** Its output is on stderr. @throws RelayctlError usage if it can't run, declined if it fails */
export async function runEditor(editor: EditorCommand, path: string, surroundings: EditorEnvironment): Promise<void> {
  const end = await surroundings.lendTerminal(() => spawnEditor(editor.argv, path, surroundings));
  if (surroundings.interrupt.aborted) throw interruptedError(" while the editor was open");
  if (end === "done") return;
  const program = editor.argv.join(" ");
  const name = program === editor.from ? program : `${editor.from}, ${program}`;
  if ("cannotRun" in end)
    throw usageError([{ where: `the editor (${name})`, rule: `cannot be run: ${end.cannotRun}` }]);
  throw unsentError("declined", `the editor (${name}) ended with ${end.failed}`);
}

type End = "done" | { cannotRun: string } | { failed: string };

async function spawnEditor(
  [program = "", ...args]: readonly string[],
  path: string,
  { env, interrupt, clock }: EditorEnvironment,
): Promise<End> {
  const stderr = 2;
  const child = spawn(program, [...args, path], {
    env: programEnvironment(env),
    stdio: ["inherit", stderr, stderr],
  });
  const ended = new AbortController();
  const end = async () => {
    child.kill(interrupt.reason === "hung_up" ? "SIGHUP" : "SIGTERM");
    await clock.sleep(EDITOR_GRACE, ended.signal);
    child.kill("SIGKILL");
  };
  interrupt.addEventListener("abort", end, { once: true });
  try {
    return await awaitExit(child);
  } finally {
    ended.abort();
    interrupt.removeEventListener("abort", end);
  }
}

function awaitExit(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ cannotRun: programStartProblem(error) }));
    child.once("exit", (status, signal) => {
      if (status === 0) resolve("done");
      else resolve({ failed: status === null ? `signal ${signal}` : `status ${status}` });
    });
  });
}
