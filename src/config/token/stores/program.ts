import { createHash, timingSafeEqual } from "node:crypto";
import { TOKEN_COMMAND_TIMEOUT, TOKEN_STORE_TIMEOUT } from "../../../timing.ts";
import { printedToken } from "../printed-token.ts";
import type { ProgramLimits, ProgramResult } from "../run-program.ts";
import { literalSecretForms } from "../secrets.ts";
import { tokenProblem, withoutFinalLineEnd } from "../token-text.ts";
import type { ProgramEnd, RunProgram } from "./token-store.ts";

export interface StoreSources {
  secrets: { add(secret: string): void };
  execute(argv: readonly string[], limits: ProgramLimits & { lasting?: true }): Promise<ProgramResult>;
}

/** The most bytes of an output: a token and what a program says besides. */
const MAX_BYTES = 256 * 1024;

/** @param lasting puts something right, even after an interrupt; otherwise the user waits, and may unlock the store */
export async function runStoreProgram(
  sources: StoreSources,
  { argv, input }: RunProgram,
  lasting?: true,
): Promise<ProgramEnd> {
  const timeout = lasting ? TOKEN_COMMAND_TIMEOUT : TOKEN_STORE_TIMEOUT;
  const limits = { timeout, maxBytes: MAX_BYTES, whole: true, ...(lasting && { lasting }) } as const;
  const { stderr = "", ...result } = await sources.execute(argv, input === undefined ? limits : { ...limits, input });
  return { stderr, ...result };
}

/** Returns the output of a `token_command`, which is redacted from then on, if it contains a token. */
export function storeProgramText({ stdout }: ProgramEnd, sources: StoreSources): string | undefined {
  const read = printedToken(stdout);
  for (const secret of "token" in read ? [read.token, stdout] : [stdout]) sources.secrets.add(secret);
  const hasToken = "token" in read && tokenProblem(read.token) === undefined;
  return hasToken ? withoutFinalLineEnd(stdout.replace(/^\uFEFF/, "")) : undefined;
}

/** Compares two texts with tokens in constant time. */
export function isSameText(one: string, other: string): boolean {
  const [left, right] = [one, other].map((token) => createHash("sha256").update(token).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

/** The most quoted lines of an error, from its end, and their characters. */
const LINES = 4;
const MOST = 500;
/** The characters of a token that in any form keep a text from being quoted. */
const PIECE = 6;

/** Returns a program's stderr in one line, unless it contains a piece of the token. */
export function quotableText({ stderr }: ProgramEnd, token: string): string | undefined {
  const lines = stderr.split(/[\r\n]+/).map((line) => line.trim());
  const text = lines.filter(Boolean).slice(-LINES).join(" ");
  if (text === "" || text.length > MOST) return undefined;
  const forms = literalSecretForms(token);
  const size = Math.min(PIECE, token.length);
  const starts = Array.from({ length: Math.max(0, text.length - size + 1) }, (_, index) => index);
  return starts.some((start) => forms.some((form) => form.includes(text.slice(start, start + size))))
    ? undefined
    : text;
}
