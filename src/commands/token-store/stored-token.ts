import type { Context } from "../../config/config.ts";
import { shownServer } from "../../config/connection/origin.ts";
import { withCredentials } from "../../config/contexts.ts";
import type { Credentials } from "../../contract/wire.ts";
import { RelayctlError } from "../../errors.ts";
import type { Call } from "../command.ts";
import { storeFrom } from "./store-flags.ts";

/**
 * Removes the entry of a context from the store that `auth login --store` put it into.
 * @returns the place that it was removed from; undefined if the token is in no store
 * @throws RelayctlError auth if the store does not remove it
 */
export async function removeFromStore(
  call: Pick<Call, "app" | "common" | "argv">,
  { name, context }: { name: string; context: Pick<Context, "token_command"> },
): Promise<string | undefined> {
  if (!context.token_command) return undefined;
  const { keptOf, placeOf, removeKept } = await import("./token-home.ts");
  const kept = keptOf(call, name, context.token_command);
  if (!kept) return undefined;
  await removeKept(call, kept);
  return placeOf(kept);
}

/** Returns the store of a context's token, and its place there: `pass: relayctl/prod`. */
export async function storePlace(
  call: Pick<Call, "app">,
  name: string | undefined,
  tokenCommand: readonly string[] | undefined,
): Promise<{ store: string; place: string } | undefined> {
  if (!tokenCommand || name === undefined) return undefined;
  const { keptOf, placeOf } = await import("./token-home.ts");
  const kept = keptOf(call, name, tokenCommand);
  return kept && { store: kept.in, place: placeOf(kept) };
}

interface HeadersHome {
  /** Stores the headers of a changed context, and returns the context without their values. */
  put(after: Context): Promise<Context>;
  /** Restores what the store had before. @returns lines about what could not be restored */
  undo(): Promise<string[]>;
  /** Removes the entry that was replaced. @returns a line if it is still there */
  leave(): Promise<string[]>;
}

/**
 * Returns the store for the headers that a change sets or removes; undefined if the context's token is in none.
 * @throws RelayctlError auth if the store does not print the token
 */
export async function headersHome(
  call: Call,
  name: string,
  before: Context | undefined,
  { headers, tokenCommand }: { headers?: object; tokenCommand?: unknown },
): Promise<HeadersHome | undefined> {
  if (!headers || tokenCommand !== undefined || !before?.token_command) return undefined;
  const { keptOf, readKept } = await import("./token-home.ts");
  if (!keptOf(call, name, before.token_command)) return undefined;
  const { credentialsText, printedHeaders, printedToken } = await import("../../config/token/printed-token.ts");
  const from = await storeFrom({ ...call, flags: {} }, name, before.token_command);
  const home = await from.home?.(shownServer(before.server));
  const text = await readKept(call, before.token_command);
  const read = printedToken(text ?? "");
  if (!home || !("token" in read) || read.token === "")
    throw new RelayctlError("auth", `the store of context ${name} does not print its token; nothing was changed`);
  const printed = printedHeaders(text ?? "");
  const values: Readonly<Record<string, string>> = "headers" in printed ? printed.headers : {};
  let kept: Awaited<ReturnType<typeof home.put>> | undefined;
  return {
    async put(after) {
      const all = Object.entries(after.headers ?? {}).map(([each, value]) => [each, value ?? values[each] ?? ""]);
      const credentials: Required<Credentials> = { token: read.token, headers: Object.fromEntries(all) };
      kept ??= await home.put(credentialsText(credentials.token, credentials.headers));
      return withCredentials(after, credentials, kept.tokenCommand);
    },
    undo: async () => (await kept?.undo()) ?? [],
    leave: () => from.leave(kept?.tokenCommand),
  };
}
