import { isJsonObject } from "../../../src/contract/json.ts";
import { type Intent, type RecordedWrite, writesOf } from "../../../src/journal/journal.ts";
import { isSameRequest, type Patch, type RelayerChange } from "../model/fleet.ts";
import type { Attempt } from "../model/network.ts";
import type { Version } from "../model/record.ts";
import type { Applied } from "../model/service.ts";
import { START } from "../model/timeline.ts";
import type { ModelWorld } from "../model/world.ts";
import type { Ran } from "../program.ts";
import { versionIn } from "./clearing.ts";
import { doesSame } from "./truth.ts";
import { hadSince } from "./undo.ts";
import { isWrite } from "./write.ts";

/** Milliseconds by which clocks may differ unnoticed. */
const TOLERANCE = 2_000;

const WARNED = /warning: this write is not recorded/;

/** Returns what one run sent without a complete and true intent before it. */
export function unrecorded({ attempts, entries, argv, stderr, journal }: Ran): string[] {
  const mayBeMissing = journal === "kept" && WARNED.test(stderr);
  if (journal === "none" || mayBeMissing) return [];
  return attempts.flatMap((attempt, index) => {
    if (!isWrite(attempt) || !attempt.hasLeft) return [];
    const intents = entries.flatMap(({ entry, attempts: made, isUnsure }) =>
      entry.type === "intent" && !isUnsure && made <= index && isAbout(entry, attempt) ? [entry] : [],
    );
    const line = `${attempt.method} ${attempt.target}: ${argv.join(" ")}`;
    if (intents.length === 0) return [`sent before its intent was recorded: ${line}`];
    const { applied, updated } = attempt;
    const isTrue =
      (!applied || intents.some((intent) => explains(intent, applied))) &&
      (!updated || intents.some((intent) => explainsChange(intent, updated)));
    return isTrue ? [] : [`applied, but recorded as something else: ${line}`];
  });
}

function isAbout({ method, target }: Intent, attempt: Attempt): boolean {
  return method === attempt.method && target === attempt.target;
}

function explains({ operation, ids, body }: Intent, applied: Applied): boolean {
  const { stored, version } = applied;
  const isSend = applied.operation === "send";
  const hasIds = ids.relayer_id === stored.relayer && (isSend || ids.transaction_id === stored.id);
  if (operation !== `tx.${applied.operation}` || !hasIds) return false;
  return applied.operation === "cancel" || (isJsonObject(body) && doesSame(versionIn(body), version));
}

function explainsChange({ operation, ids, body }: Intent, { relayer, body: sent }: RelayerChange): boolean {
  return operation === "relayers.update" && ids.relayer_id === relayer && isSameRequest(body, sent);
}

/** How many attempts a run had made when it recorded the next intent to send the same request. */
function nextLike({ entries }: Ran, intent: Intent): number | undefined {
  const { method, target } = intent;
  const like = entries.filter(
    ({ entry }) => entry.type === "intent" && entry.method === method && entry.target === target,
  );
  return like[like.findIndex(({ entry }) => entry.type === "intent" && entry.id === intent.id) + 1]?.attempts;
}

/** Returns the outcomes of the whole journal that contradict what the service did. */
export function falseOutcomes(world: ModelWorld): string[] {
  const { disk, fleet } = world;
  return writesOf(disk.entries).flatMap((write) => {
    const { intent, outcome } = write;
    const writer = disk.writers.get(intent.id);
    if (!writer || !outcome || outcome.applied === "unknown") return [];
    const { ran, attempts: made } = writer;
    const sent = ran.attempts.slice(made, nextLike(ran, intent)).filter((attempt) => isAbout(intent, attempt));
    const applied = sent.flatMap((attempt) => attempt.applied ?? []);
    const updated = sent.flatMap((attempt) => attempt.updated ?? []);
    const line = `${outcome.applied} ${JSON.stringify(outcome)}: ${ran.argv.join(" ")}`;
    if (outcome.applied === "no")
      return applied.length + updated.length > 0 ? [`recorded as not applied, but it was: ${line}`] : [];
    const { operation, ids, body } = intent;
    // A value that someone else sent is as good as the requested one.
    if (operation === "relayers.update" && hadSince(fleet, String(ids.relayer_id), ran.changes.from, body as Patch))
      return [];
    const isOurs = applied.some(({ stored }) => outcome.after?.id === undefined || outcome.after.id === stored.id);
    return isOurs || isDoneElsewhere(world, write) || isEqualElsewhere(world, write)
      ? []
      : [`recorded as applied, but it was not: ${line}`];
  });
}

/**
 * Whether a transaction became the requested one by an act that the journal doesn't show, so that the two look the
 * same. A command checks whether its cancellation took effect, no matter who requested it (promises 7.2). `history
 * settle` has to know what else is in the journal.
 */
function isDoneElsewhere({ disk, worker }: ModelWorld, { intent, outcome }: RecordedWrite): boolean {
  const { operation, ids } = intent;
  const stored = worker.all.find(({ id }) => id === ids.transaction_id);
  if (!stored) return false;
  if (operation === "tx.cancel" && !outcome?.settledLater) return stored.isCanceled;
  const isRival = ({ intent: other, outcome: theirs }: RecordedWrite) =>
    other.id !== intent.id && theirs?.applied !== "no" && other.target === intent.target && asksFor(other, intent);
  if (writesOf(disk.entries).some(isRival)) return false;
  if (operation === "tx.cancel") return stored.isCanceled;
  return operation === "tx.replace" && stored.versions.some((version) => doesSame(version, requestedIn(intent)));
}

/**
 * Whether a transaction of another client, or of an unrecorded run, equals a lost request to send, at the same speed: nothing
 * that the journal, the service, or the chain shows then distinguishes the two.
 */
function isEqualElsewhere({ disk, worker }: ModelWorld, { intent, outcome }: RecordedWrite): boolean {
  const stored = worker.all.find(({ id }) => id === outcome?.after?.id);
  if (intent.operation !== "tx.send" || !outcome?.settledLater || !stored || intent.payment) return false;
  const isOurs = [...disk.writers.values()].some(({ ran }) =>
    ran.attempts.some(({ applied }) => applied?.stored === stored && !WARNED.test(ran.stderr)),
  );
  const { gas_limit: gas, speed } = intent.body as Record<string, unknown>;
  const [first = stored] = stored.versions;
  const isEqual = doesSame(requestedIn(intent), first) && stored.gas === Number(gas) && stored.speed === speed;
  return !isOurs && isEqual && START + stored.createdAt >= Date.parse(intent.time) - TOLERANCE;
}

function asksFor(other: Intent, { operation, ...own }: Intent): boolean {
  if (other.operation !== operation) return false;
  return operation === "tx.cancel" || doesSame(requestedIn(other), requestedIn({ operation, ...own }));
}

function requestedIn({ body }: Intent): Version {
  return versionIn(body as Record<string, unknown>);
}
