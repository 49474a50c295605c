import { execFile } from "node:child_process";
import { isIP } from "node:net";

/** The programs that look up names, and their environment. */
export interface LookupPrograms {
  env: Readonly<Record<string, string | undefined>>;
  /** The path of `getent`, which takes a few milliseconds. Not every system has it. */
  getent: string;
  /** The path of Node, for systems without `getent`; the lookup then takes Node's startup time. */
  node: string;
}

const MAX_BYTES = 65_536;
/** The exit status of `getent` if a name has no addresses; the script uses the same. */
const NOT_FOUND = 2;
const SCRIPT = `const dns = require("node:dns");
dns.lookup(process.argv[1], { all: true, hints: dns.ADDRCONFIG }, (error, found) => {
  if (error) process.exitCode = ${NOT_FOUND};
  else process.stdout.write(found.map(({ address }) => address).join("\\n"));
});`;

/**
 * Looks up a name with the system's resolver, in a separate process. Node would use a thread that cannot be canceled
 * and that delays the exit, by 10 seconds and more if no name server responds. A process can be killed.
 * @throws Error with the code `ENOTFOUND` or `EAI_AGAIN`
 */
export async function lookUp(
  name: string,
  { env, getent, node }: LookupPrograms,
  signal: AbortSignal,
): Promise<string[]> {
  const run = runner(env, signal);
  const found = (await run(getent, ["ahosts", "--", name])) ?? (await run(node, ["-e", SCRIPT, "--", name]));
  if (found) return found;
  // No process can be started. A lookup that may delay the exit is better than none.
  const { promises } = await import("node:dns");
  return (await promises.lookup(name, { all: true })).map(({ address }) => address);
}

/**
 * Returns a function that runs a program and returns the addresses at the beginning of its lines, or undefined if the
 * program is unusable.
 */
function runner(env: LookupPrograms["env"], signal: AbortSignal) {
  const options = {
    env: environmentOf(env),
    signal,
    killSignal: "SIGKILL",
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  } as const;
  return (program: string, args: string[]): Promise<string[] | undefined> =>
    new Promise((resolve, reject) => {
      const child = execFile(program, args, options, (error, stdout) => {
        const addresses = addressesIn(stdout);
        if (!error && addresses.length > 0) resolve(addresses);
        else if (error?.code === NOT_FOUND) reject(lookupError("ENOTFOUND"));
        // Killed by the signal, or by the terminal together with this process.
        else if (signal.aborted || error?.signal) reject(lookupError("EAI_AGAIN"));
        else resolve(undefined);
      });
      child.stdin?.end();
    });
}

function addressesIn(text: string): string[] {
  const words = text.split("\n").map((line) => line.split(/\s/)[0] ?? "");
  return [...new Set(words)].filter((word) => isIP(word) !== 0);
}

function lookupError(code: string): Error {
  return Object.assign(new Error("the name was not resolved"), { code });
}

/** Returns the environment without the token and without settings that change Node's behavior. */
function environmentOf(env: LookupPrograms["env"]): LookupPrograms["env"] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:RELAYCTL|NODE)_/i.test(name)));
}
