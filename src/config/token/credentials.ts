import { RelayctlError, usageError } from "../../errors.ts";
import { inQuotes } from "../../shell-quotes.ts";
import { TOKEN_COMMAND_TIMEOUT } from "../../timing.ts";
import type { ServiceSettings, TokenSource } from "../settings.ts";
import { printedToken, type TokenRead } from "./printed-token.ts";
import { tokenProblem, withoutFinalLineEnd } from "./token-text.ts";

/** The parts of `App` that provide tokens. */
export interface TokenSources {
  files: { read(path: string, maxBytes: number): Promise<Uint8Array> };
  stdin: { isTerminal: boolean; read(maxBytes: number): Promise<Uint8Array> };
  secrets: { add(secret: string): void };
  clock: { now(): number };
  execute(
    argv: readonly string[],
    limits: { timeout: number; maxBytes: number; lasting?: true },
  ): Promise<{ stdout: string; problem?: string }>;
}

/** The maximum size; a token file may have one more line ending. */
const MAX_BYTES = 64 * 1024 + 2;

/** Reads the token from its one source, as `readExpiring` does. */
export async function readToken(settings: ServiceSettings, sources: TokenSources): Promise<string> {
  return (await readExpiring(settings, sources)).token;
}

/**
 * Reads the token from its one source; never falls back to another source. From then on it is redacted everywhere.
 * @param again whether it was read before, and has expired: it is then also read after an interrupt
 * @throws RelayctlError auth if there is none, if it was stored for another server, or if it has expired; usage for an
 * invalid file or variable
 */
export async function readExpiring(
  { token, server, context }: ServiceSettings,
  sources: TokenSources,
  again = false,
): Promise<TokenRead> {
  const result = again ? "nothing more was sent" : "nothing was sent";
  if (token.kind === "none") throw missing(context?.value);
  if ("boundTo" in token && token.boundTo !== server.value) throw foreign(token, server.value);
  if (token.kind === "command") return await printed(token, sources, again ? { lasting: true } : {}, result);
  const text =
    token.kind === "file"
      ? withoutFinalLineEnd(new TextDecoder().decode(await readBytes(token.path, sources)))
      : withoutFinalLineEnd(token.token);
  sources.secrets.add(text);
  const rule = tokenProblem(text);
  if (rule) throw usageError([{ where: token.from, ...(token.kind === "file" && { given: token.path }), rule }]);
  return { token: text };
}

async function readBytes(path: string, { files, stdin }: TokenSources): Promise<Uint8Array> {
  if (path !== "-") return await files.read(path, MAX_BYTES);
  if (stdin.isTerminal) {
    throw usageError([
      {
        where: "--token-file -",
        rule: "reads stdin, but stdin is a terminal; run relayctl auth login to enter the token",
      },
    ]);
  }
  return await stdin.read(MAX_BYTES);
}

async function printed(
  { argv, from }: Extract<TokenSource, { kind: "command" }>,
  { execute, secrets, clock }: TokenSources,
  options: { lasting?: true },
  result: string,
): Promise<TokenRead> {
  // What worked before may work again.
  const retryable = options.lasting === true;
  const limits = { timeout: TOKEN_COMMAND_TIMEOUT, maxBytes: MAX_BYTES, ...options };
  const { stdout, problem } = await execute(argv, limits);
  if (problem !== undefined)
    throw new RelayctlError("auth", `the token_command of ${from} failed: ${problem}; ${result}`, { retryable });
  const read = printedToken(stdout);
  secrets.add("token" in read ? read.token : stdout);
  const rule = "rule" in read ? read.rule : tokenProblem(read.token);
  if (rule !== undefined || "rule" in read)
    throw new RelayctlError("auth", `the output of the token_command of ${from} ${rule}; ${result}`, { retryable });
  const { expiresAt } = read;
  if (expiresAt === undefined || expiresAt > clock.now()) return read;
  const when = new Date(expiresAt).toISOString();
  const words = `the token_command of ${from} printed a token that expired at ${when}, by the clock of this machine`;
  throw new RelayctlError("auth", `${words}; ${result}`, { retryable });
}

function missing(context: string | undefined): RelayctlError {
  const [words, flag] =
    context === undefined ? ["", ""] : [` in context ${context}`, ` --context ${inQuotes(context)}`];
  return new RelayctlError("auth", `no token configured${words}; nothing was sent`, {
    hint: `relayctl auth login${flag}`,
  });
}

function foreign(token: { from: string; boundTo: string }, server: string): RelayctlError {
  return new RelayctlError(
    "auth",
    `the token of ${token.from} is for ${token.boundTo}, not for ${server}; nothing was sent`,
    {
      hint: `relayctl auth login --context NAME --server ${inQuotes(server)}`,
    },
  );
}
