import { writeSync } from "node:fs";
import { createEngineFlags, isTerminal } from "./system.ts";
import { VERSION } from "./version.ts";

const STDOUT = 1;
/** The exit code of `io`: the program's output could not be written (promises 4.2). */
const OUTPUT_CUT_SHORT = 74;

/** Returns the output that needs no loaded program, or undefined if the words need parsing. */
async function textWithoutParsing(words: readonly string[]): Promise<string | undefined> {
  const [word, ...more] = words;
  if (word === undefined) return await firstText("bare");
  if (more.length > 0) return undefined;
  if (word === "--version" || word === "-V") return `${VERSION}\n`;
  return ["--help", "-h", "help"].includes(word) ? await firstText("program") : undefined;
}

async function firstText(about: "bare" | "program"): Promise<string> {
  const first = await import("./cli/help/first-text.ts");
  const stdout = {
    isTerminal: isTerminal(STDOUT),
    get columns() {
      return process.stdout.columns;
    },
  };
  return first.firstText(about, stdout, process.env);
}

/**
 * Writes without a stream, since opening one takes longer. Returns false if the program's streams have to write the
 * text.
 */
function isWritten(text: string): boolean {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
  } catch {
    if (rest.length === Buffer.byteLength(text)) return false;
    process.exitCode = OUTPUT_CUT_SHORT;
  }
  return true;
}

/** Returns false for a text that is longer than the terminal: a pager shows it. */
function fits(text: string): boolean {
  return !isTerminal(STDOUT) || text.split("\n").length <= process.stdout.rows;
}

async function main(): Promise<void> {
  const known = await textWithoutParsing(process.argv.slice(2));
  if (known !== undefined && fits(known) && isWritten(known)) return;
  const { keepCompiled } = await import("./compiled/keep.ts");
  const { env, platform, pid, versions, arch, execArgv } = process;
  const hasFlags = execArgv.length > 0 || Boolean(env.NODE_OPTIONS);
  const user = process.geteuid?.();
  const engine = `${versions.node}-${arch}`;
  const flags = createEngineFlags();
  await keepCompiled({ env, platform, pid, now: Date.now(), engine, user, hasFlags, atExit: flags.atPlainExit });
  const program = await import("./main.ts");
  await program.main(flags);
}

void main();
