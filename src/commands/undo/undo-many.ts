import { appliedToMany } from "../../client/bulk/failure.ts";
import type { Completed } from "../../client/bulk/run-all.ts";
import type { Shortfall } from "../../command-support/bulk/view.ts";
import type { WriteThrottle } from "../../command-support/bulk/writes.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { grouped } from "../../contract/decimal.ts";
import { type JsonObject, writeJson } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError } from "../../errors.ts";
import { kept } from "../../session/listed.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import type { Target } from "../relayers/many/targets.ts";
import { type Refusal, SETTLE } from "./refusal.ts";
import type { Irreversible, Reversal } from "./reversal.ts";

interface Undoing {
  reversals: readonly Reversal[];
  /** The targets of the run that cannot be undone, which were found before anything was read. */
  refused: readonly Irreversible[];
  /** Returns why the changes of a relayer cannot be undone now: it was deleted, or changed since. */
  check(reversal: Reversal, live: JsonObject | undefined): Irreversible | undefined;
  /** Whether to undo the rest if a part cannot be undone. */
  partly: boolean;
  refusal: Refusal;
  throttle: WriteThrottle;
}

/** Undoes the changes of many relayers after one question. They are read from the list, as for any bulk change. */
export async function undoMany(call: Call<DiffFlag>, undoing: Undoing): Promise<View> {
  const { reversals, check, partly, refusal, throttle } = undoing;
  const { client, flags } = await call.session();
  const ids = new Set(reversals.map(({ id }) => id));
  const relayers = await kept<Relayer>(client.relayers.list(), ({ id }) => ids.has(id));
  const live = new Map(relayers.map((relayer) => [relayer.id, relayer]));
  const problems = new Map(reversals.map((reversal) => [reversal, check(reversal, live.get(reversal.id))]));
  const refused = [...undoing.refused, ...[...problems.values()].filter((problem) => problem !== undefined)];
  const left = reversals.filter((reversal) => problems.get(reversal) === undefined);
  if (refused.length > 0 && (!partly || left.length === 0)) throw refusal(refused, partly || left.length === 0);
  const targets = withSharedBodies(left.map(({ id, body }) => ({ id, body, before: live.get(id) })));
  const shortfall = refused.length === 0 ? undefined : buildShortfall(refused, refused.length + left.length, flags);
  const { updateTargets } = await import("../relayers/many/update-many.ts");
  return await updateTargets(call, { targets, shortfall, throttle, reads: true });
}

/** Gives targets with the same patch the same object, by which questions and receipts group them. */
function withSharedBodies(targets: readonly Target[]): Target[] {
  const bodies = new Map<string, JsonObject>();
  return targets.map((target) => {
    const text = writeJson(target.body);
    const body = bodies.get(text) ?? target.body;
    bodies.set(text, body);
    return { ...target, body };
  });
}

const MOST_NAMED = 20;

function buildShortfall(refused: readonly Irreversible[], all: number, flags: readonly string[]): Shortfall {
  const named = refused.slice(0, MOST_NAMED).map(({ id, because }) => `${id}: ${because}`);
  const more = refused.length - named.length;
  const words = `${grouped(refused.length)} of ${grouped(all)} relayers cannot be undone`;
  return {
    words: `${words}: ${[...named, ...(more > 0 ? [`and ${grouped(more)} more`] : [])].join("; ")}`,
    failure: (_, completed: readonly Completed<unknown>[]) =>
      new RelayctlError("partial", words, {
        applied: appliedToMany(completed),
        details: refused.map(({ id, because }) => ({ where: id, rule: because })),
        because: refused.length === 1 ? named : [],
        ...(refused.some(({ isUnknown }) => isUnknown) && { hint: commandLine(...flags, ...SETTLE) }),
      }),
  };
}
