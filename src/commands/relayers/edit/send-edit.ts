import type { ApiResult } from "../../../client/request.ts";
import { symbolFor } from "../../../coins/coin-symbol.ts";
import { runWrite } from "../../../command-support/prepared-write.ts";
import { flagWords } from "../../../command-support/prompting/prompts.ts";
import type { DiffFlag } from "../../../command-support/shown.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { unsentError } from "../../../errors.ts";
import { wordsWithIds } from "../../../session/receipt-words.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import { relayerPartsPatch } from "../../../views/relayer-parts.ts";
import { typedRpcUrlFlag } from "../../../views/rpc-url-flags.ts";
import type { Call } from "../../command.ts";
import { type Change, changesOf, relayerChangeText } from "../change/change-text.ts";
import { drawnRelayer } from "../change/drawn-relayer.ts";
import { relayerUpdate } from "../change/send-update.ts";
import { isWithinPolicy } from "../change/typed-policies.ts";
import { undoConsentFlags, undoOfRelayer } from "../change/undo.ts";

export interface EditFlags extends DiffFlag {
  editor?: true;
}

/** Reads again before sending. @throws RelayctlError conflict, if another user changed the same fields meanwhile */
export async function sendEdit(call: Call<EditFlags>, before: ApiResult<Relayer>, patch: JsonObject): Promise<View> {
  const { id } = before.data;
  if (Object.keys(patch).length === 0) {
    await call.say("no changes; nothing was sent");
    const resource = await drawnRelayer(call, before.data, symbolFor);
    return { kind: "one", resource, value: before.data, body: before.body, isChange: true };
  }
  const session = await call.session();
  const symbol = await symbolFor(session, before.data);
  (await equalEntered(call, before.data))(patch);
  const again = ["relayers", "edit", id, ...(call.flags.editor ? ["--editor"] : [])];
  const update = relayerUpdate(call, {
    ...{ id, body: patch, read: async () => before },
    sending: async (_, send) => {
      const { data: now } = await session.client.relayers.get(id);
      refuseChangedMeanwhile(patch, before.data, { now, symbol }, commandLine(...session.flags, ...again));
      return await send();
    },
  });
  return await runWrite(call, { ...update, confirms: true });
}

export async function equalEntered(call: Call, before: Relayer): Promise<(patch: JsonObject) => void> {
  const session = await call.session();
  const symbol = await symbolFor(session, before);
  return (patch) => {
    const { custom_rpc_urls: urls, ...rest } = patch;
    // The flags that undo a change can also make one: with the requested value as the old one.
    const reversed = changesOf(Array.isArray(urls) ? rest : patch, before);
    const words = undoOfRelayer(
      reversed.map((change) => ({ ...change, was: change.requested })),
      before,
      symbol,
    );
    const isEqual = !("because" in words) && reversed.length + urlWords(urls).length > 0;
    if (!isEqual) return call.entered.translate(undefined);
    const reason = flagWords("--reason", call.common.reason);
    const change = wordsWithIds([...words.flags, ...urlWords(urls), ...reason], [before.id]);
    const argv = [...session.flags, "relayers", "update", ...change];
    call.entered.translate({ argv, consent: undoConsentFlags(reversed) });
  };
}

function urlWords(urls: JsonValue | undefined): string[] {
  if (!Array.isArray(urls)) return [];
  if (urls.length === 0) return ["--no-rpc-urls"];
  return urls.flatMap((entry) =>
    isJsonObject(entry) && typeof entry.url === "string" ? ["--rpc-url", typedRpcUrlFlag(entry.url, entry.weight)] : [],
  );
}

/** Refuses a patch that would overwrite another user's change, with the current values. @throws RelayctlError */
function refuseChangedMeanwhile(
  patch: JsonObject,
  before: Relayer,
  { now, symbol }: { now: Relayer; symbol: string | undefined },
  hint: string,
): void {
  const ours = changesOf(patch, before).map(({ path }) => path);
  const theirs = changesOf(relayerPartsPatch(before, now), before);
  const both = theirs.filter(({ path }) => ours.some((own) => isWithinPolicy(path, own) || isWithinPolicy(own, path)));
  if (both.length === 0) return;
  const paths = both.map(({ path }) => path).join(", ");
  throw unsentError("conflict", `${paths} of ${before.id} changed in the meantime`, {
    because: both.flatMap((change) => changeWords(change, now, symbol)),
    hint,
  });
}

function changeWords(theirs: Change, relayer: Relayer, symbol: string | undefined): string[] {
  const { label, change, entries } = relayerChangeText(theirs, { relayer, symbol, known: true });
  return [`${label} ${change}`, ...entries.map((entry) => `  ${entry}`)];
}
