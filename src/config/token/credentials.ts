import { RelayctlError, usageError } from "../../errors.ts";
import { TOKEN_COMMAND_TIMEOUT } from "../../timing.ts";
import type { ServiceSettings, TokenSource } from "../settings.ts";
import { tokenProblem, withoutFinalLineEnd } from "./token-text.ts";

/** The parts of `App` that provide tokens. */
export interface TokenSources {
  files: { read(path: string, maxBytes: number): Promise<Uint8Array> };
  stdin: { isTerminal: boolean; read(maxBytes: number): Promise<Uint8Array> };
  secrets: { add(secret: string): void };
  execute(
    argv: readonly string[],
    limits: { timeout: number; maxBytes: number },
  ): Promise<{ stdout: string; problem?: string }>;
}

/** The maximum size; a token file may have one more line ending. */
const MAX_BYTES = 64 * 1024 + 2;

type GivenToken = Exclude<TokenSource, { kind: "none" }>;

/**
 * Reads the token from its one source; never falls back to another source. From then on it is redacted everywhere.
 * @throws RelayctlError auth if there is none, or if it was stored for another server; usage for an invalid file or
 * variable
 */
export async function readToken({ token, server, context }: ServiceSettings, sources: TokenSources): Promise<string> {
  if (token.kind === "none") throw missing(context?.value);
  if ("boundTo" in token && token.boundTo !== server.value) throw foreign(token, server.value);
  const text = withoutFinalLineEnd(await readSource(token, sources));
  sources.secrets.add(text);
  const rule = tokenProblem(text);
  if (rule) throw unusable(token, rule);
  return text;
}

async function readSource(token: GivenToken, sources: TokenSources): Promise<string> {
  if (token.kind === "file") return new TextDecoder().decode(await readBytes(token.path, sources));
  return token.kind === "command" ? await printed(token.argv, sources, token.from) : token.token;
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

async function printed(argv: readonly string[], sources: TokenSources, from: string): Promise<string> {
  const { stdout, problem } = await sources.execute(argv, { timeout: TOKEN_COMMAND_TIMEOUT, maxBytes: MAX_BYTES });
  if (problem === undefined) return stdout;
  throw new RelayctlError("auth", `the token_command of ${from} failed: ${problem}; nothing was sent`);
}

function missing(context: string | undefined): RelayctlError {
  const [words, flag] = context === undefined ? ["", ""] : [` in context ${context}`, ` --context ${context}`];
  return new RelayctlError("auth", `no token configured${words}; nothing was sent`, {
    hint: `relayctl auth login${flag}`,
  });
}

function unusable(token: GivenToken, rule: string): RelayctlError {
  if (token.kind === "command") {
    return new RelayctlError("auth", `the output of the token_command of ${token.from} ${rule}; nothing was sent`);
  }
  return usageError([{ where: token.from, ...(token.kind === "file" && { given: token.path }), rule }]);
}

function foreign(token: { from: string; boundTo: string }, server: string): RelayctlError {
  return new RelayctlError(
    "auth",
    `the token of ${token.from} is for ${token.boundTo}, not for ${server}; nothing was sent`,
    {
      hint: `relayctl auth login --context NAME --server ${server}`,
    },
  );
}
