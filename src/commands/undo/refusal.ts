import type { Session } from "../../command-support/session/session.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { isJsonObject, type JsonObject, writeJson } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { RelayctlError } from "../../errors.ts";
import { cell } from "../cells.ts";
import { changeText } from "../relayers/change/change-text.ts";
import type { Change } from "../relayers/change/changes.ts";
import { liveStateOf } from "./live-state.ts";
import type { Irreversible, Reversal } from "./reversal.ts";

/** A target of a run whose changes cannot be undone, and why. */
export type Refused = Irreversible;

/** Returns the error for an undo that sends nothing. @param isFinal whether `--partly` would not help */
export type Refusal = (refused: readonly Refused[], isFinal: boolean) => RelayctlError;

export function refusalOf(run: string, { flags }: Pick<Session, "flags">): Refusal {
  return (refused, isFinal) => {
    const details = refused.map(({ id, because }) => ({ where: id, rule: because }));
    const [first, ...more] = details;
    const look = commandLine(...flags, "history", "show", run);
    const isUnknown = refused.some((each) => each.isUnknown);
    return new RelayctlError(
      isUnknown ? "unknown" : "conflict",
      `run ${run} cannot be undone${isUnknown ? ": what it applied is unknown" : ""}`,
      {
        details,
        because: [...(first && more.length === 0 ? [`${first.where}: ${first.rule}`] : []), "nothing was sent"],
        hint: isFinal ? look : commandLine(...flags, "undo", run, "--partly"),
      },
    );
  };
}

/**
 * Returns why the changes of a resource cannot be undone now: it was deleted, changed since the run, or is as before it
 * although a request whose outcome is unknown may still arrive.
 */
export function changedSince(reversal: Reversal, live: JsonObject | undefined): Refused | undefined {
  const { id } = reversal;
  if (!live) return { id, because: "was deleted since" };
  const state = liveStateOf(reversal, live);
  if (state === "restored" && reversal.isUnknown) return { id, because: MAY_ARRIVE, isUnknown: true };
  if (typeof state === "string") return undefined;
  const changes = state.since.map((change) => sinceText(reversal, change, live)).join(", ");
  return { id, because: `changed since: ${changes}` };
}

const MAY_ARRIVE = "is as before the run, whose request may still arrive: its outcome is unknown";

/** Returns a member with the value that the run left, and the present one. */
function sinceText({ noun }: Reversal, change: Change, live: JsonObject): string {
  if (noun === "relayers" && !Array.isArray(change.was) && !Array.isArray(change.requested)) {
    const { label, change: text } = changeText(change, { relayer: live as Relayer, symbol: undefined, known: true });
    return `${label} ${text}`;
  }
  const [was, now] = [change.was, change.requested].map((value) => textOf(change.path, value));
  return `${change.path.replace(/^policies\./, "")} ${was} → ${now}`;
}

function textOf(path: string, value: Change["was"]): string {
  const { [path]: masked } = withMaskedRpcUrls({ [path]: value ?? null });
  return Array.isArray(masked) || isJsonObject(masked) ? writeJson(masked) : cell(masked).text;
}
