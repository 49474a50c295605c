import { writeSync } from "node:fs";
import { createFileLoader } from "./compiled/file-loader.ts";
import { createEngineFlags } from "./engine.ts";
import { RelayctlError } from "./errors.ts";
import { readShipped } from "./installation.ts";
import { isTerminal } from "./is-terminal.ts";
import { VERSION } from "./version.ts";

const [STDIN, STDOUT, STDERR] = [0, 1, 2];
/** The exit code of `io`: the program's output could not be written (promises 4.2). */
const OUTPUT_CUT_SHORT = 74;

/** Verbs of lists, which take no argument. */
const USUAL_VERBS = ["list", "status"];

const engineFlags = createEngineFlags();

/** Loads the files of this program. The package's build replaces every `import()` of this file (scripts/program.js). */
export const loadFile = createFileLoader(() => {
  const { env, platform, pid, versions, arch, execPath, execArgv, argv } = process;
  return {
    ...{ env, platform, pid, now: Date.now(), user: process.geteuid?.() },
    engine: `${versions.node}-${arch}`,
    // Lists keep their own code, and need not read what other commands compiled.
    started: [execPath, ...execArgv, env.NODE_OPTIONS ?? "", USUAL_VERBS.find((verb) => argv.includes(verb)) ?? ""],
    // Loading the module takes a millisecond.
    crc32: (data, before) => process.getBuiltinModule("node:zlib").crc32(data, before),
    atExit: engineFlags.atPlainExit,
  };
});

/** Returns the output that needs no loaded program, or undefined if the words need parsing. */
async function textWithoutParsing(words: readonly string[]): Promise<string | undefined> {
  const [word, ...more] = words;
  if (word === undefined) return await readText("bare");
  if (more.length > 0) return undefined;
  if (word === "--version" || word === "-V") return `${VERSION}\n`;
  return ["--help", "-h", "help"].includes(word) ? await readText("program") : undefined;
}

async function readText(about: "bare" | "program"): Promise<string> {
  const { firstText } = await import("./cli/help/first-text.ts");
  return firstText(about, readShipped, streamFacts("stdout"), process.env);
}

/** Flags of lists that are most often right. */
const USUAL_FLAGS =
  /^(?:-[coq]|--(?:context|demo|fields|headers|limit|no-headers|output|query|server|sort|token-file|where|yes)(?:=.*)?)$/;

/** Returns whether to look for a mistake first, which takes as long as reading a list, where mistakes are rare. */
function mayBeMistaken([noun = "", verb = "", ...more]: readonly string[]): boolean {
  const isUsual = (/^[a-z]/.test(noun) && USUAL_VERBS.includes(verb)) || noun === "status";
  return !isUsual || more.some((word) => word.startsWith("-") && !USUAL_FLAGS.test(word));
}

async function readUsage(words: readonly string[]) {
  const { usageText } = await import("./cli/parsing/usage.ts");
  const [stdin, stdout, stderr] = [{ isTerminal: isTerminal(STDIN) }, streamFacts("stdout"), streamFacts("stderr")];
  return await usageText(words, readShipped, { env: process.env, stdin, stdout, stderr });
}

const USUAL_COLUMNS = 80;

function streamFacts(name: "stdout" | "stderr") {
  return {
    isTerminal: isTerminal(name === "stdout" ? STDOUT : STDERR),
    get columns() {
      return process[name].columns || USUAL_COLUMNS;
    },
  };
}

/** Writes without a stream, which opens slower. Returns false if the program's streams have to write the text. */
function isWritten(text: string, descriptor = STDOUT): boolean {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    if (rest.length === Buffer.byteLength(text)) return false;
    process.exitCode = OUTPUT_CUT_SHORT;
  }
  return true;
}

function fitsWords(text: string): boolean {
  return !isTerminal(STDOUT) || text.split("\n").length <= process.stdout.rows;
}

async function runEntry(): Promise<void> {
  const words = process.argv.slice(2);
  const known = await textWithoutParsing(words);
  if (known !== undefined && fitsWords(known) && isWritten(known)) return;
  const usage = known === undefined && mayBeMistaken(words) ? await readUsage(words) : undefined;
  if (usage && (usage.to === "err" || fitsWords(usage.text))) {
    process.exitCode = usage.exitCode;
    if (isWritten(usage.text, usage.to === "err" ? STDERR : STDOUT)) return;
  }
  const program = await import("./main.ts");
  await program.main(engineFlags);
}

function showUnshown(error: unknown): void {
  if (!(error instanceof RelayctlError)) throw error;
  process.exitCode = error.exitCode;
  isWritten(`error: ${[error.message, ...error.because].join("\n  ")}\n`, STDERR);
}

/** Runs this process's command line. The library loads this file, too, for shared code. */
export function startProgram(): void {
  runEntry().catch(showUnshown);
}
