import { execFile } from "node:child_process";
import { isIP } from "node:net";

export interface LookupPrograms {
  env: Readonly<Record<string, string | undefined>>;
  /** The path of `getent`, which takes a few milliseconds. Not every system has it. */
  getent: string;
  /** The path of Node, for systems without `getent`; the lookup then takes Node's startup time. */
  node: string;
  /** The word that makes a standalone executable at that path print addresses itself. */
  word?: string;
}

const MAX_BYTES = 65_536;
/** The exit status of `getent` if a name has no addresses; `printAddresses` uses the same. */
const NOT_FOUND = 2;

/** Prints the addresses of the last word's name. Node runs the text of this function, so it uses nothing else. */
export function printAddresses(
  { lookup, ADDRCONFIG }: Pick<typeof import("node:dns"), "lookup" | "ADDRCONFIG">,
  program: Pick<NodeJS.Process, "argv" | "exitCode" | "stdout">,
): void {
  lookup(program.argv.at(-1) ?? "", { all: true, hints: ADDRCONFIG }, (error, found) => {
    if (error) program.exitCode = 2;
    else program.stdout.write(found.map(({ address }) => address).join("\n"));
  });
}

/** Uses a process, which can be killed: Node's thread delays the exit. @throws Error `ENOTFOUND` or `EAI_AGAIN` */
export async function lookUp(
  name: string,
  { env, getent, node, word }: LookupPrograms,
  signal: AbortSignal,
): Promise<string[]> {
  const run = createRunner(env, signal);
  const script = `(${printAddresses})(require("node:dns"), process)`;
  const words = word === undefined ? ["-e", script, "--", name] : [word, name];
  const found = (await run(getent, ["ahosts", "--", name])) ?? (await run(node, words));
  if (found) return found;
  // No process can be started. A lookup that may delay the exit is better than none.
  const { promises } = await import("node:dns");
  return (await promises.lookup(name, { all: true })).map(({ address }) => address);
}

function createRunner(env: LookupPrograms["env"], signal: AbortSignal) {
  const options = {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:RELAYCTL|NODE|BUN)_/i.test(name))),
    signal,
    killSignal: "SIGKILL",
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  } as const;
  return (program: string, args: string[]): Promise<string[] | undefined> =>
    new Promise((resolve, reject) => {
      const child = execFile(program, args, options, (error, stdout) => {
        const words = stdout.split("\n").map((line) => line.split(/\s/)[0] ?? "");
        const addresses = [...new Set(words)].filter((word) => isIP(word) !== 0);
        if (!error && addresses.length > 0) resolve(addresses);
        else if (error?.code === NOT_FOUND) reject(lookupError("ENOTFOUND"));
        // Killed by the signal, or by the terminal together with this process.
        else if (signal.aborted || error?.signal) reject(lookupError("EAI_AGAIN"));
        else resolve(undefined);
      });
      child.stdin?.end();
    });
}

function lookupError(code: string): Error {
  return Object.assign(new Error("the name was not resolved"), { code });
}
