import { holdsAlready } from "../../../client/read-back/compare.ts";
import type { ApiResult } from "../../../client/request.ts";
import { respellForRecord } from "../../../client/respell.ts";
import { rememberedCoinSymbol, symbolFor } from "../../../coins/coin-symbol.ts";
import { type PlannedWrite, type Receipt, runWrite } from "../../../command-support/prepared-write.ts";
import { type DiffFlag, isDryRun } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { operations } from "../../../contract/operations.ts";
import { capRisks } from "../../../contract/policy/cap-change.ts";
import type { Relayer, UpdateRelayerRequest } from "../../../contract/resources/relayer.ts";
import { ifReadable } from "../../../errors.ts";
import { stateDisabledReasons } from "../../../relayer-state/state.ts";
import { receiptUndoLine, receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import { relayerView } from "../../../views/relayer.ts";
import { drawsSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import { alreadySetNote, readBefore, showsBefore } from "../../read-before.ts";
import type { UndoFile, UndoFileFlag } from "../many/undo-file.ts";
import {
  type Change,
  type ChangeContext,
  changesOf,
  changeTextLines,
  changeVerb,
  changeVerbs,
  relayerChangeText,
} from "./change-text.ts";
import { drawnRelayer } from "./drawn-relayer.ts";
import { undoOfRelayer } from "./undo.ts";

function updateReceipt(
  id: string,
  body: JsonObject,
  { before, after, symbol }: { before: Relayer | undefined; after: Relayer; symbol: string | undefined },
  session: Session,
): Receipt {
  const changes = changesOf(body, before);
  const context = { relayer: after, symbol, known: before !== undefined };
  const warning = stillDisabled(body, after);
  const receipt = {
    ...changesReceipt(session.name, id, changes, context),
    ...(warning !== undefined && { warning: { warning } }),
  };
  if (!before || changes.length === 0) return receipt;
  return {
    ...receipt,
    next: receiptUndoLine(undoOfRelayer(changes, after, symbol), session, "relayers", "update", id),
  };
}

function stillDisabled({ paused }: JsonObject, { id, system_disabled, disabled_reason }: Relayer): string | undefined {
  if (paused !== false || !system_disabled) return undefined;
  const reasons = stateDisabledReasons(disabled_reason ?? null).join("; ") || "no reason given";
  return `${id} is disabled (${reasons}), not paused; resuming can't help`;
}

function changesReceipt(where: string, id: string, changes: readonly Change[], changeContext: ChangeContext): Receipt {
  const [first] = changes;
  if (!first) return { applied: receiptWords.changed(where, id, receiptWords.unchanged) };
  const { done } = changeVerbs[changeVerb({ [first.path]: first.requested })];
  if (changes.length === 1 && done !== undefined) return { applied: receiptWords.changed(where, id, done) };
  const { label, change, entries } = relayerChangeText(first, changeContext);
  if (changes.length === 1 && entries.length === 0)
    return { applied: receiptWords.changed(where, id, `${label} ${change}`, `${label}  ${change}`) };
  const count = changes.length === 1 ? "1 change" : `${changes.length} changes`;
  const applied = receiptWords.changedMany(where, `${count} to ${id}`, [id, count]);
  return { applied, details: changeTextLines(changes, changeContext) };
}

interface RelayerChange {
  id: string;
  body: JsonObject;
  read?: (() => Promise<ApiResult<Relayer> | undefined>) | undefined;
  sending?(before: Relayer | undefined, send: () => Promise<ApiResult<Relayer>>): Promise<ApiResult<Relayer>>;
}

export async function sendUpdate(call: Call<DiffFlag>, change: RelayerChange, undoFile?: UndoFile): Promise<View> {
  if (!undoFile) return await runWrite(call, relayerUpdate(call, change));
  const { id, body, read = async () => (await call.session()).client.relayers.get(id) } = change;
  const sending: RelayerChange["sending"] = (before, send) => undoFile.keeping({ id, body, before }, send);
  return await runWrite(call, relayerUpdate(call, { id, body, read, sending }));
}

export function relayerUpdate(
  call: Call<DiffFlag>,
  { id, body, read, sending = (_, send) => send() }: RelayerChange,
): PlannedWrite<Relayer> {
  const request = { operation: operations["relayers.update"], parameters: { relayer_id: id }, body };
  const verb = changeVerb(body);
  return {
    request,
    title: `${verb} relayer ${id}`,
    act: changeVerbs[verb].act,
    id,
    resource: relayerView,
    prepare: async (session) => {
      const found = await (read?.() ?? readState(call, id, verb !== "update"));
      const before = found?.data;
      // A script pauses in any state.
      const isAlready = before && (read || showsBefore(call)) && holdsAlready(body, before);
      return {
        before: found,
        already: isAlready ? (stillDisabled(body, before) ?? unchangedText(id, body)) : undefined,
        preview: async () => {
          const changes = changesOf(body, before);
          const shown = { relayer: before ?? {}, symbol: await symbolBefore(call, changes, before) };
          return changeTextLines(changes, { ...shown, known: before !== undefined });
        },
        risks: capRisks(body, before),
        send: (client) => {
          const { body: spelled } = respellForRecord(request, before);
          return sending(before, () => client.relayers.update(id, spelled as UpdateRelayerRequest, { before }));
        },
        receipt: async (after) => {
          const symbol = await rememberedCoinSymbol(session, before ?? after);
          return updateReceipt(id, body, { before, after, symbol }, session);
        },
        ...("custom_rpc_urls" in body && { outlook: (after) => checkNode(call, session, after, body) }),
        drawn: (after) => drawnRelayer(call, after, rememberedCoinSymbol),
        readAgain: commandLine(...session.flags, "relayers", "get", id),
      };
    },
  };
}

/** Reads the relayer before a change. A script's pause or resume reads it once, for its undo, and ignores failures. */
async function readState(call: Call<DiffFlag>, id: string, isPause: boolean): Promise<ApiResult<Relayer> | undefined> {
  const { client, briefly } = await call.session();
  if (!isPause || isDryRun(call) || showsBefore(call)) return await readBefore(call, id, client.relayers);
  return await ifReadable(briefly(COIN_TIMEOUT).relayers.get(id, { byRoute: true }), call.app.interrupt);
}

async function symbolBefore(call: Call, changes: readonly Change[], before: Relayer | undefined) {
  if (!before || changes.every(({ path }) => path === "paused")) return undefined;
  const isChanged = changes.some(({ path }) => path === "policies.min_balance" || path === "policies");
  if (!isChanged && (isDryRun(call) || !drawsSymbol(call))) return undefined;
  return await symbolFor(await call.session(), before);
}

function unchangedText(id: string, body: JsonObject): string {
  const verb = changeVerb(body);
  return verb === "update" ? alreadySetNote(id) : `${id} is ${changeVerbs[verb].already}`;
}

async function checkNode({ app }: Call, session: Session, after: Relayer, { custom_rpc_urls: urls }: JsonObject) {
  const { checkRelayerNode } = await import("../../../relayer-state/check-node.ts");
  return await checkRelayerNode(app, session, after, Array.isArray(urls) ? urls.length : 0);
}

export async function updateOneRelayer(
  call: Call<UndoFileFlag & DiffFlag>,
  change: (undoFile: UndoFile | undefined) => Promise<View>,
): Promise<View> {
  if (call.flags.undoFile === undefined) return await change(undefined);
  const { withUndoFile } = await import("../many/undo-file.ts");
  return await withUndoFile(call, change);
}
