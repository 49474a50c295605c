import { runArgv } from "../../src/cli/run.ts";
import { writeJson } from "../../src/contract/json.ts";
import type { WireRequest } from "../../src/contract/wire.ts";
import { checked } from "./checked.ts";
import { validateByHelp } from "./documented.ts";
import { exited, exitedSaying, type Said } from "./exited.ts";
import { validateBySchema } from "./printed-data.ts";
import type { ScriptedEditor } from "./scripted-editor.ts";
import { testApp, type World } from "./test-app.ts";

export { exited, exitedSaying, printedError } from "./exited.ts";
export { inProd, SERVER, TOKEN, testApp, type World } from "./test-app.ts";

/** What a command line came to. */
export interface Ran {
  exitCode: number;
  stdout: string;
  /** Without colors: what they repeat is in the words. */
  stderr: string;
  /** Every request that was sent, in order. */
  requests: readonly WireRequest[];
  writes: readonly WireRequest[];
  questions: readonly string[];
  /** What there was to choose at the questions with a list. */
  offered: readonly (readonly string[])[];
  /** What was shown in the editor, and whether the file is there still. */
  editor: Pick<ScriptedEditor, "shown" | "isKept">;
}

/**
 * Runs a command line inside this process, against the embedded server as a function unless the world says otherwise.
 */
export async function cli(line: string | readonly string[], world: World = {}): Promise<Ran> {
  const made = testApp(world);
  const ended = await runHere(made, typeof line === "string" ? words(line) : line);
  const { requests, questions, offered, editor } = made;
  return { ...ended, requests, questions, offered, editor, writes: requests.filter(isWrite) };
}

/** Runs a command line that has to end like this. */
export async function ends(expected: object, line: string | readonly string[], world: World = {}): Promise<Ran> {
  const ran = await cli(line, world);
  expect(ran, ran.stderr).toMatchObject(expected);
  return ran;
}

/** Runs a command line that has to end with this exit code. */
export async function exits(code: number, line: string | readonly string[], world: World = {}): Promise<Ran> {
  return await exited(code, cli(line, world));
}

/** Runs a command line that has to end like this, or with this exit code, and to say this on stderr. */
export async function says(
  expected: number | object,
  line: string | readonly string[],
  said: Said,
  world: World = {},
): Promise<void> {
  await exitedSaying(expected, cli(line, world), said);
}

/** Runs a command line with a world that was made before. Whatever it prints and records is searched: no test can forget to. */
export async function runHere(
  { app, stdout, stderr, requests, mistakes, journal, isMalformed }: ReturnType<typeof testApp>,
  argv: readonly string[],
) {
  const exitCode = await runArgv(app, argv);
  if (mistakes[0]) throw mistakes[0];
  validateByHelp(argv, exitCode, requests);
  if (!isMalformed) validateBySchema(argv, exitCode, stdout.text());
  const terminal = stdout.isTerminal || stderr.isTerminal;
  const recorded = writeJson(journal.entries);
  const ran = checked(argv, {
    exitCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    terminal,
    isColored: argv.includes("always") || Boolean(app.env.FORCE_COLOR ?? app.env.CLICOLOR_FORCE),
    journal: recorded,
  });
  return { ...ran, stderr: ran.stderr.replaceAll(/\u001b\[\d+m/g, "") };
}

/** Splits a line as a shell does, with single and double quotes and without expansions. */
export function words(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  );
}

/** A node is asked by a POST too. */
function isWrite({ method, target, body }: WireRequest): boolean {
  const asksNode =
    target.endsWith("/rpc") &&
    /"method":"(?:eth_(?:call|chainId|feeHistory|estimateGas|gasPrice|get\w+|simulateV1)|debug_traceCall|get[A-Z]\w+)"/.test(
      body ?? "",
    );
  return method !== "GET" && !asksNode;
}
