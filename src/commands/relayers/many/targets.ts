import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import { Problems } from "../../../flow/problems.ts";
import type { DiffFlag } from "../../../flow/shown.ts";
import { isShown } from "../../../flow/shown.ts";
import { readSelection } from "../../../terminal/select/selection.ts";
import type { BulkFlags } from "../../bulk/flags.ts";
import type { Targets } from "../../bulk/targets.ts";
import type { Call } from "../../command.ts";
import { relayerView } from "../view.ts";

/** A change that is to be made to many relayers. */
export interface ManyChange {
  /** The body for relayers of a kind; of every kind where it is not known, with problems where they disagree. */
  bodyFor(kind: NetworkKind | undefined, problems: Problems): JsonObject;
  /** Whether the body cannot be known without the kind. */
  needsKind: boolean;
  /** Adds what a body would break in a relayer as it would then be. */
  judge?(problems: Problems, body: JsonObject, before: Relayer): void;
}

/** One relayer that is to be changed. */
export interface Target {
  id: string;
  body: JsonObject;
  /** As it was in the list, where that was read. */
  before: Relayer | undefined;
}

/**
 * The relayers that were named or chosen, each with what is to be sent to it. The list is read once where it is needed: to
 * choose, to know the kinds, to tell old and new, or to keep what undoes the change.
 */
export async function manyTargets(
  call: Call<BulkFlags & DiffFlag>,
  { ids }: Pick<Targets, "ids">,
  change: ManyChange,
): Promise<Target[]> {
  const reads = change.needsKind || call.flags.undoFile !== undefined;
  const needsList = !ids || call.flags.diff === true || (reads && !isShown(call));
  const found = needsList ? await listed(call, ids) : (ids ?? []).map((id) => ({ id, before: undefined }));
  const problems = new Problems();
  const bodies = new Map<NetworkKind | undefined, JsonObject>();
  const targets = found.map(({ id, before }) => {
    const kind = isNetworkKind(before?.network_type) ? before.network_type : undefined;
    const body = bodies.get(kind) ?? change.bodyFor(kind, problems);
    bodies.set(kind, body);
    if (before && problems.found.length === 0) change.judge?.(problems, body, before);
    return { id, before, body };
  });
  problems.throwIfAny("relayctl relayers update --help");
  return targets;
}

type Found = Pick<Target, "id" | "before">;

/** In the order that was typed, or by id where they were chosen. */
async function listed(call: Call, ids: readonly string[] | undefined): Promise<Found[]> {
  const { client } = await call.session();
  const { where } = await readSelection({ where: call.output.where }, relayerView);
  const all = new Map<string, Relayer>();
  for await (const { items } of client.relayers.list()) {
    for (const item of items) if (where.every((holds) => holds(item))) all.set(String(item.id), item as Relayer);
  }
  const wanted = ids ?? [...all.keys()].sort();
  const missing = wanted.filter((id) => !all.has(id));
  if (missing.length > 0) throw new RelayctlError("not_found", `there is no relayer ${missing.join(", ")}`);
  return wanted.map((id) => ({ id, before: all.get(id) }));
}
