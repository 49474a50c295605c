import { dirname } from "node:path";
import { askConsent } from "../../command-support/consent/consent.ts";
import { NOT_FOUND } from "../../config/token/run-program.ts";
import { isSameText, quotableText, runStoreProgram, storeProgramText } from "../../config/token/stores/program.ts";
import { isSameArgv, type Kept, type StoreName, storedEntry, tokenStoreOf } from "../../config/token/stores/stores.ts";
import type { ProgramEnd } from "../../config/token/stores/token-store.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import { commandLine, shellWord } from "../../shell/shell-words.ts";
import type { Call } from "../command.ts";

export interface TokenHome {
  /** Stores a token, with or without headers, and reads it back. @throws RelayctlError auth: undone, or the error says more */
  put(token: string): Promise<StoredToken>;
}

/** A stored token that its `token_command` printed. */
export interface StoredToken {
  tokenCommand: string[];
  place: string;
  /** Restores what the store had before. @returns lines about what could not be restored */
  undo(): Promise<string[]>;
}

export interface HomeRequest {
  store: StoreName;
  name: string;
  server: string;
  within: string | undefined;
  tokenCommand: readonly string[] | undefined;
}

type Needs = Pick<Call, "app" | "common" | "argv">;

/** Asks before it replaces another context's entry. @throws usage; auth if the store is unreadable; declined */
export async function findTokenHome(call: Needs, { store, tokenCommand, ...entry }: HomeRequest): Promise<TokenHome> {
  const kept: Kept = { in: store, entry: { ...entry, folder: dirname(call.app.config.path) } };
  const { title, label, get, isMissing, stored } = tokenStoreOf(kept);
  // A store that assigns IDs never replaces an entry.
  if (stored) {
    await runStore(call, kept, [get(kept.entry)[0] ?? "", "--version"]);
    return { put: (token) => putToken(call, kept, undefined, token) };
  }
  const found = await runStore(call, kept, get(kept.entry));
  if (found.problem !== undefined && !isMissing(found)) {
    const why = `to see why, run: ${argvText(get(kept.entry))}`;
    throw storeFailure(`${title} could not be read: ${found.problem}`, [why, "nothing was changed"], LOGIN_HELP);
  }
  const before = found.problem === undefined ? storeProgramText(found, call.app) : undefined;
  if (found.problem === undefined && before === undefined) {
    const how = `to replace it, remove it first: ${argvText(tokenStoreOf(kept).remove(kept.entry))}`;
    throw new RelayctlError("conflict", `${label(kept.entry)} in ${title} is not a token`, { because: [how] });
  }
  const isOwn = tokenCommand !== undefined && isSameArgv(tokenCommand, get(kept.entry));
  if (found.problem === undefined && !isOwn) {
    const question = `Replace the entry ${label(kept.entry)} in ${title}?`;
    await askConsent(call, { question, act: "replacing an entry of another context or program", sort: "yes" });
  }
  // Another login may have replaced the entry's token since.
  const replaced = async () =>
    isOwn ? storeProgramText(await runStore(call, kept, get(kept.entry)), call.app) : before;
  return { put: async (token) => putToken(call, kept, await replaced(), token) };
}

async function putToken(call: Needs, asked: Kept, before: string | undefined, token: string): Promise<StoredToken> {
  const { app } = call;
  const store = tokenStoreOf(asked);
  const run = store.put(asked.entry, token);
  if (store.longest !== undefined && Buffer.byteLength(run.input ?? "") > store.longest)
    throw usageError([{ where: "token", rule: `is too long for ${store.title}` }]);
  const written = await runStoreProgram(app, run);
  if (written.problem === NOT_FOUND) throw notInstalled(asked);
  const kept = namedToken(asked, written);
  const undo = () => restoreToken(call, kept, before);
  const failed = async (words: string, said: string | undefined) =>
    storeFailure(
      `${store.title} ${words}`,
      [
        ...(said === undefined ? [] : [`${run.argv[0]}: ${said}`]),
        ...(await undo()),
        "nothing was changed in the config",
      ],
      LOGIN_HELP,
    );
  if (written.problem !== undefined)
    throw await failed(`did not store the token: ${written.problem}`, quotableText(written, token));
  if (!kept) throw await failed("did not say where the token is", undefined);
  const tokenCommand = store.get(kept.entry);
  const read = await runStoreProgram(app, { argv: tokenCommand });
  if (read.problem !== undefined)
    throw await failed(`did not print the token again: ${read.problem}`, quotableText(read, token));
  const printed = storeProgramText(read, app);
  if (printed === undefined || !isSameText(printed, token))
    throw await failed("printed something else than the token that was stored", undefined);
  return { tokenCommand, place: describeTokenPlace(kept), undo };
}

function namedToken(kept: Kept, { stdout, problem }: ProgramEnd): Kept | undefined {
  const { stored } = tokenStoreOf(kept);
  if (!stored) return kept;
  const entry = problem === undefined ? stored(kept.entry, stdout) : undefined;
  return entry && { ...kept, entry };
}

async function restoreToken({ app }: Needs, kept: Kept | undefined, before: string | undefined): Promise<string[]> {
  if (!kept) return ["an item may be left in 1Password: look for relayctl-token"];
  const { title, label, put: putRun, remove, isMissing } = tokenStoreOf(kept);
  if (before !== undefined) {
    const { problem } = await runStoreProgram(app, putRun(kept.entry, before), true);
    return problem === undefined ? [] : [`${title} may have another token as ${label(kept.entry)} now: ${problem}`];
  }
  const removed = await runStoreProgram(app, { argv: remove(kept.entry) }, true);
  if (removed.problem === undefined || isMissing(removed)) return [];
  return [`an entry may be left; to remove it, run: ${argvText(remove(kept.entry))}`];
}

export async function removeTokenAtHome(call: Needs, kept: Kept): Promise<void> {
  const { title, label, remove, isMissing } = tokenStoreOf(kept);
  const removed = await runStore(call, kept, remove(kept.entry));
  if (removed.problem === undefined || isMissing(removed)) return;
  throw storeFailure(
    `${title} did not remove ${label(kept.entry)}: ${removed.problem}`,
    [`to see why, run: ${argvText(remove(kept.entry))}`, "nothing was changed"],
    commandLine("context", "set", kept.entry.name, "--no-token-command"),
  );
}

export async function readKeptToken({ app }: Pick<Call, "app">, argv: readonly string[]): Promise<string | undefined> {
  const ended = await runStoreProgram(app, { argv: [...argv] });
  return ended.problem === undefined ? storeProgramText(ended, app) : undefined;
}

export function tokenAtHome({ app }: Pick<Call, "app">, name: string, command: readonly string[] | undefined) {
  return storedEntry(command, name, dirname(app.config.path));
}

/** Returns where a token is: `pass: relayctl/prod`. */
export function describeTokenPlace(kept: Kept): string {
  const { title, label } = tokenStoreOf(kept);
  return `${title}: ${label(kept.entry)}`;
}

async function runStore({ app }: Needs, kept: Kept, argv: string[]): Promise<ProgramEnd> {
  const ended = await runStoreProgram(app, { argv });
  if (ended.problem === NOT_FOUND) throw notInstalled(kept);
  return ended;
}

function notInstalled(kept: Kept): RelayctlError {
  const store = tokenStoreOf(kept);
  const rule = `needs the program ${store.get(kept.entry)[0]}, which was not found; ${store.advice}`;
  return usageError([{ where: "--store", given: kept.in, rule }]);
}

const LOGIN_HELP = "relayctl auth login --help";

function storeFailure(message: string, because: readonly string[], hint: string): RelayctlError {
  return new RelayctlError("auth", message, { because, hint });
}

function argvText(argv: readonly string[]): string {
  return argv.map(shellWord).join(" ");
}
