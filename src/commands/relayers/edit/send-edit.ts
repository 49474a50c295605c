import type { ApiResult } from "../../../client/api-result.ts";
import { perform } from "../../../command-support/perform.ts";
import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { DiffFlag } from "../../../command-support/shown.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { typedRpcUrl } from "../../flags/rpc-urls.ts";
import { withIds } from "../../undo-line.ts";
import { changeText } from "../change/change-text.ts";
import { type Change, changesOf } from "../change/changes.ts";
import { drawnRelayer } from "../change/drawn-relayer.ts";
import { updateOf } from "../change/send-update.ts";
import { isWithin } from "../change/typed-policies.ts";
import { consentFlags, undoOf } from "../change/undo.ts";
import { patchBetween } from "./draft.ts";

/** The flags of `relayers edit`, with commander's names. */
export interface EditFlags extends DiffFlag {
  editor?: true;
}

/**
 * Reviews and sends a user's patch of a relayer: prints the equivalent command first, so that no input is lost; shows
 * and confirms the changes, and reads the relayer again before sending. An empty patch sends nothing.
 * @throws RelayctlError conflict, if another user changed the same fields meanwhile
 */
export async function sendEdit(call: Call<EditFlags>, before: ApiResult<Relayer>, patch: JsonObject): Promise<View> {
  const { id } = before.data;
  if (Object.keys(patch).length === 0) {
    await call.say("no changes; nothing was sent");
    const resource = await drawnRelayer(call, before.data, symbolFor);
    return { kind: "one", resource, value: before.data, body: before.body };
  }
  const session = await call.session();
  const symbol = await symbolFor(call, before.data);
  const equal = equalCommand(patch, before.data, { session, symbol });
  if (equal !== undefined) await call.say(`without questions: ${equal}`);
  const update = updateOf(call, id, patch, async () => before);
  const again = ["relayers", "edit", id, ...(call.flags.editor ? ["--editor"] : [])];
  return await perform<Relayer>(call, {
    ...update,
    confirms: true,
    send: async (client) => {
      const { data: now } = await client.relayers.get(id);
      refuseChangedMeanwhile(patch, before.data, { now, symbol }, commandLine(...session.flags, ...again));
      return await withEqual(update.send(client, before.data), equal);
    },
  });
}

/**
 * Returns the command that makes the same change without prompts; undefined if no flags can. An RPC URL with a key
 * becomes a shell variable.
 */
function equalCommand(
  patch: JsonObject,
  before: Relayer,
  { session: { flags }, symbol }: { session: Session; symbol: string | undefined },
): string | undefined {
  const { custom_rpc_urls: urls, ...rest } = patch;
  // The flags that undo a change also make one: use a change whose old value is the requested one.
  const reversed = changesOf(Array.isArray(urls) ? rest : patch, before);
  const words = undoOf(
    reversed.map((change) => ({ ...change, was: change.requested })),
    before,
    symbol,
  );
  if ("because" in words) return undefined;
  const change = withIds([...words.flags, ...urlWords(urls), ...consentFlags(reversed)], [before.id]);
  return repeatedCommand([...flags, "relayers", "update", ...change], []);
}

function urlWords(urls: JsonValue | undefined): string[] {
  if (!Array.isArray(urls)) return [];
  if (urls.length === 0) return ["--no-rpc-urls"];
  return urls.flatMap((entry) =>
    isJsonObject(entry) && typeof entry.url === "string" ? ["--rpc-url", typedRpcUrl(entry.url, entry.weight)] : [],
  );
}

/**
 * Refuses a patch that would overwrite another user's change since the relayer was read, and shows the current values.
 * @param symbol the symbol of the network's coin, if known
 * @throws RelayctlError conflict
 */
function refuseChangedMeanwhile(
  patch: JsonObject,
  before: Relayer,
  { now, symbol }: { now: Relayer; symbol: string | undefined },
  hint: string,
): void {
  const ours = changesOf(patch, before).map(({ path }) => path);
  const theirs = changesOf(patchBetween(before, now), before);
  const both = theirs.filter(({ path }) => ours.some((own) => isWithin(path, own) || isWithin(own, path)));
  if (both.length === 0) return;
  const paths = both.map(({ path }) => path).join(", ");
  throw new RelayctlError("conflict", `${paths} of ${before.id} changed in the meantime`, {
    because: [...both.flatMap((change) => changeWords(change, now, symbol)), "nothing was sent"],
    hint,
  });
}

function changeWords(theirs: Change, relayer: Relayer, symbol: string | undefined): string[] {
  const { label, change, entries } = changeText(theirs, { relayer, symbol, known: true });
  return [`${label} ${change}`, ...entries.map((entry) => `  ${entry}`)];
}

/** Adds the equivalent command to a refusal, so that the input need not be typed again. */
async function withEqual<T>(sending: Promise<T>, equal: string | undefined): Promise<T> {
  try {
    return await sending;
  } catch (error) {
    const isRefused = error instanceof RelayctlError && error.failure === "rejected";
    throw isRefused ? error.with({ hint: equal }) : error;
  }
}
