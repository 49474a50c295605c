import { problemText, RelayctlError, TOO_MANY_FILES } from "../../errors.ts";

/** What later versions of Node name most errors when they remove something. */
const UNNAMED = "";

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBUSY: "the file is in use",
  EDQUOT: "the quota is used up",
  EEXIST: "something else already exists there",
  EIO: "the disk reports an error",
  EISDIR: "it is a folder",
  ELOOP: "its links form a loop",
  EMFILE: TOO_MANY_FILES,
  ENAMETOOLONG: "the name is too long",
  [UNNAMED]: "unknown error",
  ENFILE: TOO_MANY_FILES,
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "part of its path is not a folder",
  ENXIO: "it is not a regular file",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};

export function fileErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function fileError(path: string, done: "read" | "written", error: unknown): unknown {
  const code = fileErrorCode(error);
  if (code === undefined) return error;
  const failure = ["ENOSPC", "EDQUOT", "EIO", "EMFILE", "ENFILE", UNNAMED].includes(code) ? "io" : "usage";
  const problem = { where: path, rule: `cannot be ${done}: ${WORDS[code] ?? code}` };
  return new RelayctlError(failure, problemText(problem), { details: [problem], cause: error });
}

/** Returns a function that throws the error for work with a file that was rejected. */
export function throwFileError(path: string, done: "read" | "written"): (error: unknown) => never {
  return (error) => {
    throw fileError(path, done, error);
  };
}

const MISSING = [WORDS.ENOENT, WORDS.ENOTDIR, WORDS.ENAMETOOLONG];

/** Shows the flag or variable of a secret's file instead of a file that does not exist, which may be the secret itself. */
export function throwUnnamedFileError(where: string): (error: unknown) => never {
  return (error) => {
    const { rule = "" } = (error instanceof RelayctlError && error.details[0]) || {};
    const isMissing = MISSING.some((words) => rule.endsWith(`: ${words}`));
    if (!(error instanceof RelayctlError) || !isMissing) throw error;
    throw new RelayctlError(error.failure, problemText({ where, rule }), { details: [{ where, rule }] });
  };
}
