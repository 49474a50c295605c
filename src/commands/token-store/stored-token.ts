import type { Context } from "../../config/config.ts";
import { shownOrigin } from "../../config/connection/origin.ts";
import { contextWithCredentials } from "../../config/contexts.ts";
import type { StoreName } from "../../config/token/stores/stores.ts";
import type { Credentials } from "../../contract/wire.ts";
import { type Problem, RelayctlError, rescue, usageError } from "../../errors.ts";
import type { Message } from "../../message.ts";
import type { Call, CommandSyntax, ParsedFlags } from "../command.ts";
import type { TokenHome } from "./token-home.ts";

export type StoreFlags = ParsedFlags<typeof defineTokenStoreFlags>;

/** Not imported from the stores, since most logins use none. */
const STORE_WORDS = ["config", "keychain", "secret-service", "wincred", "pass", "op", "vault"];

export function defineTokenStoreFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Token")
    .choice("--store <store>", "Where to keep the token (default: where it is, or config)", STORE_WORDS)
    .option("--store-in <name>", "Vault of op (default: your own), or mount of vault (default: secret)");
}

interface Stores {
  /** Finds the store for a server; absent for the config. */
  home?: (server: string) => Promise<TokenHome>;
  /** Removes the earlier token's entry, unless it was replaced. @returns a line if it remains */
  leave(tokenCommand: readonly string[] | undefined): Promise<Message[]>;
}

/** Returns the typed store, or the context's. @throws RelayctlError usage */
export async function tokenStoreFromFlags(
  call: Call<StoreFlags>,
  name: string,
  tokenCommand: readonly string[] | undefined,
): Promise<Stores> {
  const { store, storeIn } = call.flags;
  if (store === undefined && storeIn === undefined && tokenCommand === undefined) return { leave: async () => [] };
  const { findTokenHome, tokenAtHome, describeTokenPlace, removeTokenAtHome } = await import("./token-home.ts");
  const { isSameArgv } = await import("../../config/token/stores/stores.ts");
  const earlier = tokenAtHome(call, name, tokenCommand);
  const chosen = store ?? earlier?.in ?? "config";
  const problems = placeProblems(storeIn, chosen);
  if (problems.length > 0) throw usageError(problems, "relayctl auth login --help");
  const within = storeIn ?? (chosen === earlier?.in ? earlier.entry.within : undefined);
  const leave: Stores["leave"] = async (now) => {
    if (!earlier || !tokenCommand || (now && isSameArgv(now, tokenCommand))) return [];
    const left = await rescue(removeTokenAtHome(call, earlier), ({ message }) => `: ${message}`);
    const place = describeTokenPlace(earlier);
    return [
      left ? { note: `the earlier token is still in ${place}${left}` } : `the earlier token was removed from ${place}`,
    ];
  };
  if (chosen === "config") return { leave };
  const home = (server: string) =>
    findTokenHome(call, { store: chosen as StoreName, name, server, within, tokenCommand });
  return { home, leave };
}

function placeProblems(storeIn: string | undefined, store: string): Problem[] {
  if (storeIn === undefined) return [];
  const where = "--store-in";
  if (store !== "op" && store !== "vault") return [{ where, rule: "is for --store op and --store vault" }];
  // A mount is a path, and both are one word of a command.
  if (storeIn.trim() === "" || /\p{Cc}/u.test(storeIn))
    return [{ where, given: storeIn, rule: "is empty, or contains a control character" }];
  return [];
}

/** Removes it before the config is changed, whose failure then says so. @throws RelayctlError auth if it stays */
export async function removeStoredToken(
  call: Pick<Call, "app" | "common" | "argv">,
  { name, context }: { name: string; context: Pick<Context, "token_command"> },
  change: (place: string | undefined) => Promise<void>,
): Promise<string | undefined> {
  const { tokenAtHome, describeTokenPlace, removeTokenAtHome } = await import("./token-home.ts");
  const kept = tokenAtHome(call, name, context.token_command);
  if (kept) await removeTokenAtHome(call, kept);
  const place = kept && describeTokenPlace(kept);
  await rescue(change(place), (error) => {
    throw place === undefined ? error : error.with({ because: [`the token was already removed from ${place}`] });
  });
  return place;
}

/** Returns the store of a context's token, and its place there: `pass: relayctl/prod`. */
export async function storedTokenPlace(
  call: Pick<Call, "app">,
  name: string | undefined,
  tokenCommand: readonly string[] | undefined,
): Promise<{ store: string; place: string } | undefined> {
  if (!tokenCommand || name === undefined) return undefined;
  const { tokenAtHome, describeTokenPlace } = await import("./token-home.ts");
  const kept = tokenAtHome(call, name, tokenCommand);
  return kept && { store: kept.in, place: describeTokenPlace(kept) };
}

/** Returns the store of a context's headers, if its token is in one. @throws RelayctlError auth if it can't be read */
export async function headerStore(
  call: Call,
  name: string,
  before: Context | undefined,
  { headers, token_command: command }: { headers?: object; token_command?: unknown },
) {
  if (!headers || command !== undefined || !before?.token_command) return undefined;
  const { tokenAtHome, readKeptToken } = await import("./token-home.ts");
  if (!tokenAtHome(call, name, before.token_command)) return undefined;
  const { credentialsText, printedHeaders, printedToken } = await import("../../config/token/printed-token.ts");
  const from = await tokenStoreFromFlags({ ...call, flags: {} }, name, before.token_command);
  const home = await from.home?.(shownOrigin(before.server));
  const text = await readKeptToken(call, before.token_command);
  const read = printedToken(text ?? "");
  if (!home || !("token" in read) || read.token === "")
    throw new RelayctlError("auth", `the store of context ${name} does not print its token; nothing was changed`);
  const printed = printedHeaders(text ?? "");
  const values: Readonly<Record<string, string>> = "headers" in printed ? printed.headers : {};
  let kept: Awaited<ReturnType<typeof home.put>> | undefined;
  return {
    /** Stores the headers of a changed context, and returns the context without their values. */
    async put(after: Context): Promise<Context> {
      const all = Object.entries(after.headers ?? {}).map(([each, value]) => [each, value ?? values[each] ?? ""]);
      const credentials: Required<Credentials> = { token: read.token, headers: Object.fromEntries(all) };
      kept ??= await home.put(credentialsText(credentials.token, credentials.headers));
      return contextWithCredentials(after, credentials, kept.tokenCommand);
    },
    /** Restores what the store had before. @returns lines about what could not be restored */
    undo: async () => (await kept?.undo()) ?? [],
    /** Removes the replaced entry. @returns a line if it remains */
    leave: () => from.leave(kept?.tokenCommand),
  };
}
