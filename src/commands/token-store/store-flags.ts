import type { StoreName } from "../../config/token/stores/stores.ts";
import { type Problem, RelayctlError, usageError } from "../../errors.ts";
import type { Call } from "../command.ts";
import type { CommandSyntax, ParsedFlags } from "../flags/syntax.ts";
import type { TokenHome } from "./token-home.ts";

export type StoreFlags = ParsedFlags<typeof defineStoreFlags>;

/** The config, and the stores: not imported, since most logins use none. */
const STORE_WORDS = ["config", "keychain", "secret-service", "wincred", "pass", "op", "vault"];

export function defineStoreFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Token")
    .choice("--store <store>", "Where to keep the token (default: where it is, or config)", STORE_WORDS)
    .option("--store-in <name>", "Vault of op (default: your own), or mount of vault (default: secret)");
}

interface Stores {
  /** Finds the store for a server; absent for the config. */
  home?: (server: string) => Promise<TokenHome>;
  /** Removes the entry of the earlier token, unless it was replaced. @returns a line if it is still there */
  leave(tokenCommand: readonly string[] | undefined): Promise<string[]>;
}

/** Returns the store that was typed, or that has the context's token already. @throws RelayctlError usage */
export async function storeFrom(
  call: Call<StoreFlags>,
  name: string,
  tokenCommand: readonly string[] | undefined,
): Promise<Stores> {
  const { store, storeIn } = call.flags;
  if (store === undefined && storeIn === undefined && tokenCommand === undefined) return { leave: async () => [] };
  const { findHome, keptOf, placeOf, removeKept } = await import("./token-home.ts");
  const { sameWords } = await import("../../config/token/stores/stores.ts");
  const earlier = keptOf(call, name, tokenCommand);
  const chosen = store ?? earlier?.in ?? "config";
  const problems = placeProblems(storeIn, chosen);
  if (problems.length > 0) throw usageError(problems, "relayctl auth login --help");
  const within = storeIn ?? (chosen === earlier?.in ? earlier.entry.within : undefined);
  const leave: Stores["leave"] = async (now) => {
    if (!earlier || !tokenCommand || (now && sameWords(now, tokenCommand))) return [];
    try {
      await removeKept(call, earlier);
      return [`the earlier token was removed from ${placeOf(earlier)}`];
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      return [`note: the earlier token is still in ${placeOf(earlier)}: ${error.message}`];
    }
  };
  if (chosen === "config") return { leave };
  const home = (server: string) => findHome(call, { store: chosen as StoreName, name, server, within, tokenCommand });
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
