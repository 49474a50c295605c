import type { Context } from "../../config/config.ts";
import type { Call } from "../command.ts";

type Needs = Pick<Call, "app" | "common" | "argv">;

interface Named {
  name: string;
  context: Pick<Context, "token_command">;
}

/**
 * Removes the entry of a context from the store that `auth login --store` put it into.
 * @returns the place that it was removed from; undefined if the token is in no store
 * @throws RelayctlError auth if the store does not remove it
 */
export async function removeFromStore(call: Needs, { name, context }: Named): Promise<string | undefined> {
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
