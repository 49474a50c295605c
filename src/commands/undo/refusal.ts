import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { RelayctlError } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { cell } from "../../terminal/cells.ts";
import { defaultOf, policyAt } from "../../views/policy-field.ts";
import { holdsAlready } from "../read-before.ts";
import { changeText } from "../relayers/change/change-text.ts";
import type { Change } from "../relayers/change/changes.ts";
import { type Irreversible, inRequestForm, type Reversal, valueAt } from "./reversal.ts";

/** Returns the error for an undo that sends nothing. @param isFinal whether `--partly` would not help */
export type Refusal = (refused: readonly Irreversible[], isFinal: boolean) => RelayctlError;

export function refusalOf(run: string, { flags }: Pick<Session, "flags">): Refusal {
  return (refused, isFinal) => {
    const details = refused.map(({ id, because }) => ({ where: id, rule: because }));
    const [first, ...more] = details;
    const isUnknown = refused.some((each) => each.isUnknown);
    const look = isUnknown ? SETTLE : ["history", "show", run];
    return new RelayctlError(
      isUnknown ? "unknown" : "conflict",
      `run ${run} cannot be undone${isUnknown ? ": what it applied is unknown" : ""}`,
      {
        details,
        because: [
          ...(first && more.length === 0 ? [`${first.where}: ${first.rule}`] : []),
          ...(isUnknown ? [waysOut(isFinal)] : []),
          "nothing was sent",
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

/** The command that finds out what became of a write whose outcome is unknown. */
export const SETTLE = ["history", "settle"] as const;

/** Returns why the changes of a resource cannot be undone now: it was deleted, or changed since the run. */
export function changedSince(reversal: Reversal, live: JsonObject | undefined): Irreversible | undefined {
  const { id } = reversal;
  if (!live) return { id, because: "was deleted since" };
  const changes = changesSince(reversal, live)
    .map((change) => sinceText(reversal, change, live))
    .join(", ");
  return changes === "" ? undefined : { id, because: `changed since: ${changes}` };
}

/**
 * Returns the members of a run's changes that have another value now: `was` is what the run left, `requested` the present
 * value. None if all have their previous values again.
 */
function changesSince({ noun, changes }: Reversal, resource: JsonObject): readonly Change[] {
  const live = inRequestForm(noun, resource);
  const now = ({ path }: Change) => valueAt(live, path);
  // Where a policy is unset, the service returns its default as soon as another policy is set (facts 4.3).
  const isSame = ({ path }: Change, one: JsonValue, other: JsonValue) => {
    const unset = noun === "relayers" ? (defaultOf(policyAt(path, resource as Relayer)) ?? null) : null;
    return hasSameValue(path, one ?? unset, other ?? unset);
  };
  if (changes.every((change) => isSame(change, change.was ?? null, now(change)))) return [];
  const moved = changes.filter((change) => !isSame(change, change.requested, now(change)));
  return moved.map((change) => ({ path: change.path, was: change.requested, requested: now(change) }));
}

/** Returns whether two values of a member are the same. A comparison covers only the members of its first object. */
function hasSameValue(path: string, one: JsonValue, other: JsonValue): boolean {
  const field = path.slice(path.lastIndexOf(".") + 1);
  return holdsAlready({ [field]: one }, { [field]: other }) && holdsAlready({ [field]: other }, { [field]: one });
}

/** Returns a member with the value that the run left, and the present one. */
function sinceText({ noun }: Reversal, change: Change, live: JsonObject): string {
  if (noun === "relayers" && !Array.isArray(change.was) && !Array.isArray(change.requested)) {
    const { label, change: text } = changeText(change, { relayer: live as Relayer, symbol: undefined, known: true });
    return `${label} ${text}`;
  }
  const [was, now] = [change.was, change.requested].map((value) => formatText(change.path, value));
  return `${change.path.replace(/^policies\./, "")} ${was} → ${now}`;
}

function formatText(path: string, value: Change["was"]): string {
  const { [path]: masked } = withMaskedRpcUrls({ [path]: value ?? null });
  return Array.isArray(masked) || isJsonObject(masked) ? writeJson(masked) : cell(masked).text;
}
