import { holdsAlready } from "../../client/read-back/compare.ts";
import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn, withField, writeJson } from "../../contract/json.ts";
import { type Network, networkRpcConfigs } from "../../contract/resources/network.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import { type Plugin, pluginTimeoutSeconds } from "../../contract/resources/plugin.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { type RelayctlError, unsentError } from "../../errors.ts";
import { appliedOf, type Intent, type RecordedWrite } from "../../journal/journal.ts";
import type { Undo } from "../../session/receipt-words.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { toCell } from "../../terminal/view.ts";
import { policyAt, policyFieldDefault } from "../../views/policy-field.ts";
import { undoOfNetwork } from "../networks/send-change.ts";
import { undoOfNotification } from "../notifications/send-change.ts";
import { undoOfPlugin } from "../plugins/send-change.ts";
import { type Change, changesOf, relayerChangeText } from "../relayers/change/change-text.ts";
import { undoOfRelayer } from "../relayers/change/undo.ts";

export type UndoPlan = ReturnType<typeof reversalPlan>;

export function reversalPlan(writes: readonly RecordedWrite[]) {
  const applied = writes.filter((write) => appliedOf(write) !== "no");
  const found = reversibleWrites(applied);
  const stayingCanceled = applied.length - found.length;
  const times = new Map<string, number>();
  for (const { intent } of found) times.set(intent.target, (times.get(intent.target) ?? 0) + 1);
  const results = found.map((write) => {
    const result = reversalFor(write);
    const isOwnReason = "because" in result || times.get(write.intent.target) === 1;
    return isOwnReason ? result : { id: result.id, because: "the run changed it more than once" };
  });
  const reversals = results.flatMap((result) => ("because" in result || result.changes.length === 0 ? [] : [result]));
  const refused = results.flatMap((result) => ("because" in result ? [result] : []));
  if (reversals.length + refused.length === 0)
    return { reversals, refused: [{ id: "run", because: NOTHING_CHANGED }], stayingCanceled };
  if (reversals.length + refused.length === 1) return { reversals, refused, stayingCanceled };
  const relayers = reversals.filter(({ noun }) => noun === "relayers");
  const others = reversals.filter(({ noun }) => noun !== "relayers");
  refused.push(...others.map(({ id }) => ({ id, because: SEVERAL })));
  return { reversals: relayers, refused, stayingCanceled };
}

/** A freeze patches relayers and cancels transactions, and said that its cancellations are final. */
export function reversibleWrites(writes: readonly RecordedWrite[]): readonly RecordedWrite[] {
  const hasPatch = writes.some(({ intent }) => intent.operation === "relayers.update");
  return hasPatch ? writes.filter(({ intent }) => intent.operation !== "tx.cancel") : writes;
}

/** Returns whether the journal can restore all that this command's run changed. */
export async function canUndoOwnRun(session: Session): Promise<boolean> {
  const { reversals, refused } = reversalPlan(await session.ownWrites());
  return reversals.length > 0 && refused.length === 0;
}

/** Why a run without changes can't be undone. */
export const NOTHING_CHANGED = "it changed nothing";
const SEVERAL = "of several resources, only relayers can be undone";

type PatchedNoun = "relayers" | "notifications" | "networks" | "plugins";

export interface Reversal {
  noun: PatchedNoun;
  id: string;
  /** With their previous values; `requested` is the write's value. */
  changes: readonly Change[];
  body: JsonObject;
}

export interface Irreversible {
  id: string;
  because: string;
  /** Set if nothing shows whether the write was applied. */
  isUnknown?: true;
}

interface Patched {
  changes(body: JsonObject, before: JsonObject): Change[];
  /** @param body the members that changed */
  undo(changes: readonly Change[], body: JsonObject, before: JsonObject): Undo;
}

const PATCHED: Readonly<Record<PatchedNoun, Patched>> = {
  relayers: {
    changes: (body, before) => changesOf(body, before as Relayer),
    undo: (changes, _, before) => undoOfRelayer(changes, before as Relayer),
  },
  notifications: {
    changes: memberChanges,
    undo: (_, body, before) => undoOfNotification(body, before as Notification),
  },
  networks: { changes: memberChanges, undo: (_, __, before) => undoOfNetwork(before as Network) },
  plugins: { changes: memberChanges, undo: (_, body, before) => undoOfPlugin(body, before as Plugin) },
};

function reversalFor(write: RecordedWrite): Reversal | Irreversible {
  const { intent, outcome } = write;
  const { operation, body, before } = intent;
  const id = reversedResource(intent);
  if (appliedOf(write) === "unknown") return { id, because: UNKNOWN, isUnknown: true };
  const noun = patchedNoun(operation);
  if (noun === undefined || !isJsonObject(body)) return { id, because: whyIrreversible(intent) };
  const kept = notKept(body);
  if (kept !== undefined) return { id, because: kept };
  if (before?.id !== id)
    return { id, because: "the values before are not in the journal; --diff or a terminal reads them" };
  const was = inRequestForm(noun, before);
  const changes = PATCHED[noun].changes(inRequestForm(noun, body), was);
  const masked = [...(intent.masked ?? []), ...(outcome?.masked ?? [])];
  // Two values can look the same because both are masked.
  if (masked.some((name) => Object.hasOwn(body, name))) return { id, because: MASKED };
  const changed = Object.fromEntries(Object.entries(body).filter(([name]) => changes.some(isWithin(name))));
  const undo = changes.length === 0 ? { flags: [] } : PATCHED[noun].undo(changes, changed, before);
  if ("because" in undo) return { id, because: undo.because };
  // Values that a later command read aren't marked as masked.
  const after = outcome?.after && !outcome.settledLater ? inRequestForm(noun, outcome.after) : undefined;
  const left = changes.map((change) => ({
    ...change,
    requested: after ? valueAt(after, change.path) : change.requested,
  }));
  return { noun, id, changes: left, body: reversePatch(changes, before) };
}

const UNKNOWN = "the outcome of its write is unknown, and its request may still arrive";

/** Returns the ID of a write's resource, or its path without one. */
export function reversedResource({ ids, body, target }: Intent): string {
  const created = objectIn(body).id;
  return Object.values(ids)[0] ?? (typeof created === "string" ? created : target);
}

function patchedNoun(operation: string): PatchedNoun | undefined {
  const [noun = "", verb] = operation.split(".");
  return verb === "update" && Object.hasOwn(PATCHED, noun) ? (noun as PatchedNoun) : undefined;
}

function whyIrreversible({ operation, kind }: Intent): string {
  if (operation.startsWith("tx.")) return "sent, replaced, and canceled transactions can't be undone";
  if (kind === "create") return `${operation}: delete the resource instead`;
  if (kind === "remove") return `${operation}: a deleted resource cannot be restored`;
  return `${operation}: its effects are unknown`;
}

function notKept(body: JsonObject): string | undefined {
  if (body.signing_key !== undefined) return "the service never returns signing keys";
  return body.config === undefined ? undefined : "the journal does not keep the config of a plugin";
}

const MASKED = "a value contains what may be a key or a password, which the journal does not keep";

function inRequestForm(noun: PatchedNoun, resource: JsonObject): JsonObject {
  if (noun === "networks" && Array.isArray(resource.rpc_urls))
    return { ...resource, rpc_urls: networkRpcConfigs(resource.rpc_urls) };
  if (noun === "plugins" && resource.timeout !== undefined)
    return { ...resource, timeout: pluginTimeoutSeconds(resource.timeout) ?? null };
  return resource;
}

function memberChanges(body: JsonObject, before: JsonObject): Change[] {
  const changes = Object.entries(body).map(([path, requested]) => ({ path, requested, was: before[path] }));
  return changes.filter(({ path, requested, was = null }) => !holdsAlready({ [path]: requested }, { [path]: was }));
}

function isWithin(name: string): (change: Change) => boolean {
  return ({ path }) => path === name || path.startsWith(`${name}.`);
}

/** Returns the value at a dotted path, or null, which is the same to the service (facts 4.1). */
function valueAt(object: JsonObject, path: string): JsonValue {
  const [head = "", ...rest] = path.split(".");
  const value = object[head] ?? null;
  if (rest.length === 0) return value;
  return isJsonObject(value) ? valueAt(value, rest.join(".")) : null;
}

function reversePatch(changes: readonly Change[], before: JsonObject): JsonObject {
  let patch: JsonObject = {};
  for (const { path, was = null } of changes) patch = withField(patch, path, sendableValue(path, was, before));
  return patch;
}

/** Returns a previous value for a request: an amount as a number, in any spelling. */
function sendableValue(path: string, was: JsonValue, before: JsonObject): JsonValue {
  const isPositive = policyAt(path, before as Relayer)?.type === "amount";
  return isPositive ? (wireAmount(was) ?? was) : was;
}

/** Returns the error for an undo that sends nothing. @param isFinal whether `--partly` would not help */
export type UndoRefusal = (refused: readonly Irreversible[], isFinal: boolean) => RelayctlError;

export function reversalRefusal(run: string, { flags }: Pick<Session, "flags">): UndoRefusal {
  return (refused, isFinal) => {
    const details = refused.map(({ id, because }) => ({ where: id, rule: because }));
    const [first, ...more] = details;
    const isUnknown = refused.some((each) => each.isUnknown);
    const look = isUnknown ? SETTLE : ["history", "show", run];
    return unsentError(
      isUnknown ? "unknown" : "conflict",
      `run ${run} cannot be undone${isUnknown ? ": its outcome is unknown" : ""}`,
      {
        details,
        because: [
          ...(first && more.length === 0 ? [`${first.where}: ${first.rule}`] : []),
          ...(isUnknown ? [waysOut(isFinal)] : []),
        ],
        hint: commandLine(...flags, ...(isUnknown || isFinal ? look : ["undo", run, "--partly"])),
      },
    );
  };
}

function waysOut(isFinal: boolean): string {
  if (!isFinal) return "settle it first, or undo the rest with --partly";
  return "settle it first; an earlier run is undone by its ID, which `relayctl history` lists";
}

export const SETTLE = ["history", "settle"] as const;

export function changedSinceReversal(reversal: Reversal, live: JsonObject | undefined): Irreversible | undefined {
  const { id } = reversal;
  if (!live) return { id, because: "was deleted since" };
  const changes = changesSince(reversal, live)
    .map((change) => sinceText(reversal, change, live))
    .join(", ");
  return changes === "" ? undefined : { id, because: `changed since: ${changes}` };
}

/** `was` is the run's value, `requested` the present one. */
function changesSince({ noun, changes }: Reversal, resource: JsonObject): readonly Change[] {
  const live = inRequestForm(noun, resource);
  const now = ({ path }: Change) => valueAt(live, path);
  // The service returns an unset policy's default as soon as another policy is set (facts 4.3).
  const isSame = ({ path }: Change, one: JsonValue, other: JsonValue) => {
    const unset = noun === "relayers" ? (policyFieldDefault(policyAt(path, resource as Relayer)) ?? null) : null;
    return hasSameValue(path, one ?? unset, other ?? unset);
  };
  if (changes.every((change) => isSame(change, change.was ?? null, now(change)))) return [];
  const moved = changes.filter((change) => !isSame(change, change.requested, now(change)));
  return moved.map((change) => ({ path: change.path, was: change.requested, requested: now(change) }));
}

function hasSameValue(path: string, one: JsonValue, other: JsonValue): boolean {
  const field = path.slice(path.lastIndexOf(".") + 1);
  return holdsAlready({ [field]: one }, { [field]: other }) && holdsAlready({ [field]: other }, { [field]: one });
}

function sinceText({ noun }: Reversal, change: Change, live: JsonObject): string {
  if (noun === "relayers" && !Array.isArray(change.was) && !Array.isArray(change.requested)) {
    const { label, change: text } = relayerChangeText(change, {
      relayer: live as Relayer,
      symbol: undefined,
      known: true,
    });
    return `${label} ${text}`;
  }
  const [was, now] = [change.was, change.requested].map((value) => shownText(change.path, value));
  return `${change.path.replace(/^policies\./, "")} ${was} → ${now}`;
}

function shownText(path: string, value: Change["was"]): string {
  const { [path]: masked } = withMaskedRpcUrls({ [path]: value ?? null });
  return Array.isArray(masked) || isJsonObject(masked) ? writeJson(masked) : toCell(masked).text;
}
