import { RelayctlError, usageError } from "../../errors.ts";
import { inQuotes } from "../../shell-quotes.ts";
import { CREDENTIALS_AGE, TOKEN_COMMAND_TIMEOUT } from "../../timing.ts";
import { throwUnnamedFileError } from "../files/file-error.ts";
import type { ServiceSettings } from "../resolve-settings.ts";
import { type Lifetime, type PrintedProblem, printedToken, type TokenRead } from "./printed-token.ts";
import { tokenProblem, withoutFinalLineEnd } from "./token-text.ts";

export interface TokenSources {
  files: { read(path: string, maxBytes: number, isListed?: boolean): Promise<Uint8Array> };
  stdin: { isTerminal: boolean; read(maxBytes: number): Promise<Uint8Array> };
  secrets: { add(secret: string): void };
  clock: { now(): number };
  execute(
    argv: readonly string[],
    limits: { timeout: number; maxBytes: number; lasting?: true },
  ): Promise<{ stdout: string; problem?: string }>;
}

/** A token file may have one more line ending. */
const MAX_BYTES = 64 * 1024 + 2;

export async function readToken(settings: ServiceSettings, sources: TokenSources): Promise<string> {
  return (await readExpiringCredentials(settings, sources)).token;
}

/** Never uses another source, and redacts the token everywhere. @param again if it was read before @throws auth */
export async function readExpiringCredentials(
  { token, server, context }: ServiceSettings,
  sources: TokenSources,
  again = false,
): Promise<TokenRead> {
  if (token.kind === "none") throw missingToken(context?.value);
  refuseForeignToken("the token", token, server.value);
  if (token.kind === "command") return await printedCredentials(token, sources, { what: TOKEN, again });
  const read = token.kind === "file" ? await readCredentialFile(token, sources, again) : { text: token.token };
  const { text: whole, ...lifetime }: { text: string } & Lifetime = read;
  const text = withoutFinalLineEnd(whole);
  sources.secrets.add(text);
  const rule = tokenProblem(text);
  if (rule) throw usageError([{ where: token.from, ...(token.kind === "file" && { given: token.path }), rule }]);
  return { token: text, ...lifetime };
}

/** Reads a file of credentials, or stdin for `-`. @param typed stdin's flag, and what to do at a terminal */
export async function readCredentialFile(
  { path, from }: { path: string; from: string },
  { files, stdin }: TokenSources,
  again: boolean,
  [typed, advice] = ["--token-file -", "run relayctl auth login to enter the token"],
): Promise<{ text: string } & Lifetime> {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  // A pipe has its content once.
  if (path !== "-") {
    const bytes = await files.read(path, MAX_BYTES, again).catch(throwUnnamedFileError(from));
    return { text: text(bytes), renewAfter: CREDENTIALS_AGE };
  }
  if (stdin.isTerminal) throw usageError([{ where: typed, rule: `reads stdin, but stdin is a terminal; ${advice}` }]);
  return { text: text(await stdin.read(MAX_BYTES)) };
}

interface Print<T> {
  command: string;
  things: string;
  read(stdout: string): T | PrintedProblem;
  secrets(read: T): readonly string[];
  problem(read: T): string | undefined;
}

const TOKEN: Print<TokenRead> = {
  command: "token_command",
  things: "a token",
  read: printedToken,
  secrets: ({ token }) => [token],
  problem: ({ token }) => tokenProblem(token),
};

/** Runs a context's command, and returns its output. @throws RelayctlError auth, which never quotes it */
export async function printedCredentials<T extends { expiresAt?: number }>(
  { argv, from }: { argv: readonly string[]; from: string },
  { execute, secrets, clock }: TokenSources,
  { what, again }: { what: Print<T>; again: boolean },
): Promise<T> {
  const limits = { timeout: TOKEN_COMMAND_TIMEOUT, maxBytes: MAX_BYTES, ...(again && { lasting: true as const }) };
  const fail = (words: string): never => {
    // A source that worked before may work again.
    const result = again ? "nothing more was sent" : "nothing was sent";
    throw new RelayctlError("auth", `${words}; ${result}`, { retryable: again });
  };
  const command = `the ${what.command} of ${from}`;
  const { stdout, problem } = await execute(argv, limits);
  if (problem !== undefined) return fail(`${command} failed: ${problem}`);
  const read = what.read(stdout);
  for (const secret of "rule" in read ? [stdout] : what.secrets(read)) secrets.add(secret);
  if ("rule" in read) return fail(`the output of ${command} ${read.rule}`);
  const rule = what.problem(read);
  if (rule !== undefined) return fail(`the output of ${command} ${rule}`);
  const { expiresAt } = read;
  if (expiresAt === undefined || expiresAt > clock.now()) return read;
  const when = new Date(expiresAt).toISOString();
  return fail(`${command} printed ${what.things} that expired at ${when}, by the clock of this machine`);
}

function missingToken(context: string | undefined): RelayctlError {
  const [words, flag] =
    context === undefined ? ["", ""] : [` in context ${context}`, ` --context ${inQuotes(context)}`];
  return new RelayctlError("auth", `no token configured${words}; nothing was sent`, {
    hint: `relayctl auth login${flag}`,
  });
}

/** @throws RelayctlError auth for a context's credentials at another server */
export function refuseForeignToken(what: string, source: { from: string } | { kind: "none" }, server: string): void {
  if (!("boundTo" in source) || source.boundTo === server || !("from" in source)) return;
  const are = what.endsWith("s") ? "are" : "is";
  throw new RelayctlError(
    "auth",
    `${what} of ${source.from} ${are} for ${source.boundTo}, not for ${server}; nothing was sent`,
    { hint: `relayctl auth login --context NAME --server ${inQuotes(server)}` },
  );
}
