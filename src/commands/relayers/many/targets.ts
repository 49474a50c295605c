import { PaginationEnd } from "../../../client/pagination/end.ts";
import type { ListPage } from "../../../client/pagination/list-page.ts";
import { Problems } from "../../../command-support/problems.ts";
import type { DiffFlag } from "../../../command-support/shown.ts";
import { isShown } from "../../../command-support/shown.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import type { BulkFlags } from "../../bulk/flags.ts";
import type { Targets as TypedTargets } from "../../bulk/targets.ts";
import type { NamedCoin } from "../../coins/named-coins.ts";
import type { Call } from "../../command.ts";
import { kept } from "../../listed.ts";
import { relayerView } from "../view.ts";
import { conditionCoins, validateTargetCoins } from "./coins.ts";

/** A change that is to be made to many relayers. */
export interface ManyChange {
  /** The body for relayers of a kind; of every kind where it is not known, with problems where they disagree. */
  bodyFor(kind: NetworkKind | undefined, problems: Problems): JsonObject;
  /** Whether the body cannot be known without the kind. */
  needsKind: boolean;
  /** Whether it must be compared with what each relayer has. */
  needsBefore?: boolean;
  /** The coins that were typed as units of its amounts. */
  coins?: readonly NamedCoin[];
  /** Adds what a body would break in a relayer as it would then be. */
  validate?(problems: Problems, body: JsonObject, before: Relayer): void;
}

/** One relayer that is to be changed. */
export interface Target {
  id: string;
  body: JsonObject;
  /** As it was in the list, where that was read. */
  before: Relayer | undefined;
}

/** What is to be changed. */
export interface Targets {
  targets: Target[];
  /** The list changed while it was read: relayers that were meant may be missing. */
  moved?: RelayctlError;
}

/**
 * The relayers that were named or chosen, each with what is to be sent to it. The list is read once where it is needed: to
 * choose, to know the kinds, to tell old and new, or to keep what undoes the change.
 */
export async function manyTargets(
  call: Call<BulkFlags & DiffFlag>,
  { ids }: Pick<TypedTargets, "ids">,
  change: ManyChange,
): Promise<Targets> {
  const reads = change.needsKind || change.needsBefore === true || call.flags.undoFile !== undefined;
  const needsList = !ids || call.flags.diff === true || (reads && !isShown(call));
  const unread = { found: (ids ?? []).map((id) => ({ id, before: undefined })) };
  const { found, moved }: ListResult = needsList ? await listed(call, ids) : unread;
  const problems = new Problems();
  const bodies = new Map<NetworkKind | undefined, JsonObject>();
  const targets = found.map(({ id, before }) => {
    const kind = isNetworkKind(before?.network_type) ? before.network_type : undefined;
    const body = bodies.get(kind) ?? change.bodyFor(kind, problems);
    bodies.set(kind, body);
    if (before && problems.found.length === 0) change.validate?.(problems, body, before);
    return { id, before, body };
  });
  if (problems.found.length === 0) {
    const chosenBy = ids ? [] : conditionCoins(call.output.where ?? []);
    await validateTargetCoins(call, problems, targets, [...(change.coins ?? []), ...chosenBy]);
  }
  problems.throwIfAny("relayctl relayers update --help");
  if (moved && !mayProceed(call, targets)) throw moved;
  return { targets, ...(moved && !ids && { moved }) };
}

/** What undoes a pause can be kept only of a relayer that was seen: it may have been paused before. */
function mayProceed({ flags }: Call<BulkFlags>, targets: readonly Target[]): boolean {
  if (flags.undoFile !== undefined && targets.some(({ before }) => before === undefined)) return false;
  return targets.length > 0 && targets.every(({ body }) => pausesOnly(body));
}

/** Pausing is the safe direction: what was seen is paused, although it may not be all. */
function pausesOnly(body: JsonObject): boolean {
  return body.paused === true && Object.keys(body).length === 1;
}

interface ListResult {
  found: Pick<Target, "id" | "before">[];
  moved?: RelayctlError;
}

/** In the order that was typed, or by id where they were chosen. */
async function listed(call: Call, ids: readonly string[] | undefined): Promise<ListResult> {
  const { client } = await call.session();
  const { where } = await readSelection({ where: call.output.where }, relayerView);
  let moved: RelayctlError | undefined;
  const pages = asFarAsSeen(client.relayers.list(), (error) => {
    moved = error;
  });
  const chosen = await kept<Relayer>(pages, (relayer) => where.every((holds) => holds(relayer)));
  const all = new Map(chosen.map((relayer) => [relayer.id, relayer]));
  const wanted = ids ?? [...all.keys()].sort();
  const missing = moved ? [] : wanted.filter((id) => !all.has(id));
  if (missing.length > 0) throw new RelayctlError("not_found", `relayer not found: ${missing.join(", ")}`);
  return { found: wanted.map((id) => ({ id, before: all.get(id) })), ...(moved && { moved }) };
}

/** The pages of a list, of which a change while they were read is told and is no error. */
async function* asFarAsSeen(
  pages: AsyncIterable<ListPage>,
  tell: (moved: RelayctlError) => void,
): AsyncGenerator<ListPage> {
  try {
    yield* pages;
  } catch (error) {
    const isMoving =
      error instanceof RelayctlError && error.cause instanceof PaginationEnd && error.cause.reason === "moving";
    if (!isMoving) throw error;
    tell(error);
  }
}
