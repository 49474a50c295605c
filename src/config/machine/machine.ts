import { X509Certificate } from "node:crypto";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { elseOnError } from "../../errors.ts";
import { type Environment, readEnv } from "../environment.ts";

export type Machine = ReturnType<typeof createMachine>;

export interface CertificateChain {
  /** When the first of the chain expires, in milliseconds since 1970. */
  ends: number;
  /** The issuer whose certificate is missing; absent if the chain reaches a root. */
  missing?: string;
  /** The number of certificates of the file that are not part of the chain. */
  others: number;
}

export function createMachine(env: Environment, platform: string) {
  const endings = platform === "win32" ? (readEnv(env, "PATHEXT") ?? ".EXE;.CMD").split(";") : [""];
  const folders = (readEnv(env, "PATH") ?? "").split(delimiter).filter(Boolean);
  const programs = (name: string) => {
    const found = folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
    return [...new Set(found.filter(isProgram).map((path) => realpathSync(path)))];
  };
  return {
    /** Returns the programs with a name, in the order of PATH, each once. */
    programs,
    /** Returns whether a program can be started: at a path, or found by its name. */
    canRun: (program: string) => (/[/\\]/.test(program) ? isProgram(program) : programs(program).length > 0),
    /** Returns whether files can be created in a folder, or in its parent if it is missing. */
    canWrite,
    /** Returns when a file or folder was last changed, in milliseconds since 1970, if it is visible. */
    changedAt: (path: string) => elseOnError(() => statSync(path).mtimeMs),
    /** Returns when a PEM text's certificates expire, in milliseconds since 1970. Throws if one is invalid. */
    expiries: (pem: string) => certificatesIn(pem).map(({ validTo }) => Date.parse(validTo)),
    /** Returns the chain of a PEM text's first certificate. Throws if one is invalid. */
    chain: (pem: string) => followChain(certificatesIn(pem)),
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function certificatesIn(pem: string): X509Certificate[] {
  return (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
}

function followChain([leaf, ...others]: readonly X509Certificate[]): CertificateChain {
  let [ends, last, rest] = [Number.POSITIVE_INFINITY, leaf, others];
  for (let next = leaf; next; next = rest.find((each) => last?.checkIssued(each) === true)) {
    [ends, last, rest] = [Math.min(ends, Date.parse(next.validTo)), next, rest.filter((each) => each !== next)];
    if (next.checkIssued(next)) return { ends, others: rest.length };
  }
  return { ends, missing: last?.issuer.replaceAll("\n", ", ") ?? "", others: rest.length };
}

function isProgram(path: string): boolean {
  return elseOnError(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing && dirname(folder) !== folder && canWrite(dirname(folder));
  }
}
