import { appliedInBulk, type Completed, runAll } from "../../../client/bulk/run-all.ts";
import type { Client } from "../../../client/client.ts";
import { collectItems } from "../../../client/pagination/collect.ts";
import type { ListPage } from "../../../client/pagination/list-page.ts";
import { PaginationEnd } from "../../../client/pagination/pagination-error.ts";
import { holdsAlready } from "../../../client/read-back/compare.ts";
import { coinSymbolsFor } from "../../../coins/coin-symbol.ts";
import { type NamedCoin, namedCoin, validateCoins } from "../../../coins/named-coins.ts";
import type { Shortfall } from "../../../command-support/bulk/writes.ts";
import { canPrompt } from "../../../command-support/prompting/prompts.ts";
import { type DiffFlag, isDryRun } from "../../../command-support/shown.ts";
import { currencyOf } from "../../../contract/amount.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { doubtedMembers } from "../../../journal/doubted-members.ts";
import { refuseMissing } from "../../../relayer-state/health.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import { relayerView } from "../../../views/relayer.ts";
import type { BulkFlags, Targets as TypedTargets } from "../../bulk/flags.ts";
import type { Call } from "../../command.ts";
import { readBefore } from "../../read-before.ts";
import { changeVerb } from "../change/change-text.ts";

export interface ManyChange {
  bodyFor(kind: NetworkKind | undefined, problems: Problems): JsonObject;
  needsKind: boolean;
  /** Whether it must be compared with each relayer's current values. */
  needsBefore?: boolean;
  coins?: readonly NamedCoin[];
  /** Adds problems for rules that a body would break in the merged relayer. */
  validate?(problems: Problems, body: JsonObject, before: Relayer): void;
}

export interface Target {
  id: string;
  body: JsonObject;
  before: Relayer | undefined;
  /** Whether an earlier change of the same members may still arrive. */
  isDoubted?: boolean;
  /** Set if it was read only for the undo: a script pauses and resumes whatever a read shows. */
  isSentAnyway?: true;
  /** Throws if the relayer, as its write finds it, must not be changed. */
  refuseMoved?(live: Relayer | undefined): void;
}

export function needsChange({ body, before, isDoubted, isSentAnyway }: Target): boolean {
  return !before || isDoubted === true || isSentAnyway === true || !holdsAlready(body, before);
}

/** Marks the targets that look changed already, although an earlier change may still arrive. */
export async function targetsWithDoubts<T extends Target>(call: Call, targets: readonly T[]): Promise<readonly T[]> {
  const session = await call.session();
  const journal = targets.every(needsChange) ? undefined : await session.journal();
  if (!journal) return targets;
  const doubted = await doubtedMembers(journal, session.origin, call.app.clock.now());
  return targets.map((target) => ({ ...target, isDoubted: doubted("relayers", target.id, target.body).length > 0 }));
}

/** Returns the specified or selected relayers, each with its body, and reads the list at most once. */
export async function manyTargets(call: Call<BulkFlags & DiffFlag>, ids: TypedTargets["ids"], change: ManyChange) {
  const reads = change.needsKind || change.needsBefore === true || call.flags.undoFile !== undefined;
  const needsList = !ids || call.flags.diff === true || (reads && !isDryRun(call));
  const { found, moved }: ListResult = needsList ? await readTargets(call, ids) : await readEach(call, ids, change);
  const problems = new Problems();
  const bodies = new Map<NetworkKind | undefined, JsonObject>();
  const targets = found.map(({ before, ...named }) => {
    const kind = isNetworkKind(before?.network_type) ? before.network_type : undefined;
    const body = bodies.get(kind) ?? change.bodyFor(kind, problems);
    bodies.set(kind, body);
    if (before && problems.found.length === 0) change.validate?.(problems, body, before);
    return { ...named, before, body };
  });
  if (problems.found.length === 0) {
    const chosenBy = ids ? [] : conditionCoins(call.output.where ?? []);
    await validateTargetCoins(call, problems, targets, [...(change.coins ?? []), ...chosenBy]);
  }
  problems.throwIfAny("relayctl relayers update --help");
  if (moved && !mayProceed(call, targets)) throw moved;
  return { targets, ...(moved && !ids && { moved }) };
}

/** Returns whether all previous values are known: only a relayer that was read may be resumed. */
function mayProceed({ flags }: Call<BulkFlags>, targets: readonly Target[]): boolean {
  if (flags.undoFile !== undefined && targets.some(({ before }) => before === undefined)) return false;
  return targets.length > 0 && targets.every(({ body }) => body.paused === true && Object.keys(body).length === 1);
}

/**
 * Reads relayers that were typed, if a terminal is attached, to find those that need no change before the question, and the
 * previous values for the undo. Very many are read from the list. A script that pauses or resumes reads them only for the
 * undo, as far as the service shows them in time.
 */
async function readEach(call: Call<BulkFlags & DiffFlag>, ids: readonly string[], { needsKind, bodyFor }: ManyChange) {
  const unread = ids.map((id) => ({ id, before: undefined }));
  if (isDryRun(call)) return { found: unread };
  const session = await call.session();
  if (canPrompt(call.app, call.common)) {
    if (ids.length > MOST_READ_SINGLY) return await readTargets(call, ids);
    const client = session.inBulk();
    const read = await readSingly(call, ids, (id) => readBefore(call, id, client.relayers));
    const failed = read.find(({ error }) => error)?.error;
    if (failed) throw failed;
    return { found: read.map(({ id, value }) => ({ id, before: value?.data })) };
  }
  if (needsKind || changeVerb(bodyFor(undefined, new Problems())) === "update") return { found: unread };
  const client = session.briefly(COIN_TIMEOUT);
  const read =
    ids.length > MOST_READ_SINGLY
      ? await readTargets(call, ids, client).then(
          ({ found }) => found,
          () => unread,
        )
      : (await readSingly(call, ids, (id) => client.relayers.get(id))).map(({ id, value }) => ({
          id,
          before: value?.data,
        }));
  return { found: read.map((each) => ({ ...each, isSentAnyway: true })) };
}

async function readSingly<T>(call: Call, ids: readonly string[], read: (id: string) => Promise<T>) {
  const jobs = ids.map((id) => ({ id, run: () => read(id) }));
  return await runAll(jobs, { concurrency: READ_AT_ONCE, interrupt: call.app.interrupt }).done;
}

const MOST_READ_SINGLY = 20;
const READ_AT_ONCE = 8;

interface ListResult {
  found: Pick<Target, "id" | "before" | "isSentAnyway">[];
  moved?: RelayctlError;
}

async function readTargets(call: Call, ids: readonly string[] | undefined, brief?: Client): Promise<ListResult> {
  const client = brief ?? (await call.session()).client;
  const { where } = await readSelection({ where: call.output.where }, relayerView);
  let moved: RelayctlError | undefined;
  const pages = asFarAsRead(client.relayers.list(), (error) => {
    moved = error;
  });
  const chosen = await collectItems<Relayer>(pages, (relayer) => where.every((holds) => holds(relayer)));
  const all = new Map(chosen.map((relayer) => [relayer.id, relayer]));
  const wanted = ids ?? [...all.keys()].sort();
  const missing = moved ? [] : wanted.filter((id) => !all.has(id));
  refuseMissing({ missing }, await call.session());
  return { found: wanted.map((id) => ({ id, before: all.get(id) })), ...(moved && { moved }) };
}

async function* asFarAsRead(pages: AsyncIterable<ListPage>, report: (moved: RelayctlError) => void) {
  try {
    yield* pages;
  } catch (error) {
    const isMoving =
      error instanceof RelayctlError && error.cause instanceof PaginationEnd && error.cause.reason === "moving";
    if (!isMoving) throw error;
    report(error);
  }
}

export const movedList: Shortfall = {
  words: "the list changed while it was read: some relayers may be missing",
  failure: notSurelyAll,
};

function notSurelyAll({ argv }: Pick<Call, "argv">, completed: readonly Completed<unknown>[]): RelayctlError {
  const count = completed.length === 1 ? "1 relayer is" : `${groupDigits(completed.length)} relayers are`;
  return new RelayctlError("partial", `${count} paused, and there may be more: the list changed while it was read`, {
    applied: appliedInBulk(completed),
    because: ["run the command again until it exits with 0"],
    repeat: { argv, added: [] },
    retryable: true,
  });
}

interface Coined {
  body: JsonObject;
  before: Relayer | undefined;
}

export type Symbols = ReadonlyMap<string, string | undefined>;

export async function targetSymbols(call: Call, targets: readonly Coined[]): Promise<Symbols> {
  const amounts = targets.filter(({ body: { policies } }) => isJsonObject(policies) && "min_balance" in policies);
  const known = amounts.flatMap(({ before }) => before ?? []);
  return await coinSymbolsFor(await call.session(), known);
}

const AMOUNT_CONDITION = /^\s*policies\.\S+?\s*(?:[<>]=?|!?=)(.+)$/;

function conditionCoins(conditions: readonly string[]): NamedCoin[] {
  const words = conditions.flatMap((condition) => AMOUNT_CONDITION.exec(condition)?.[1]?.split(",") ?? []);
  return words.flatMap((word) => {
    const [text, coin] = [word.trim(), namedCoin(word.trim())];
    return coin === undefined ? [] : [{ flag: "--where", text, coin }];
  });
}

async function validateTargetCoins(
  call: Call,
  problems: Problems,
  targets: readonly Coined[],
  coins: readonly NamedCoin[],
): Promise<void> {
  if (coins.length === 0) return;
  const known = targets.flatMap(({ before }) => before ?? []);
  if (known.length < targets.length) return validateCoins(problems, coins, undefined);
  const symbols = await coinSymbolsFor(await call.session(), known);
  for (const { id, network, network_type: kind } of known) {
    const own = coins.map((coin) => ({ ...coin, flag: `${coin.flag} of ${id}` }));
    if (kind === "evm") validateCoins(problems, own, currencyOf("evm", symbols.get(network ?? "")));
  }
}
