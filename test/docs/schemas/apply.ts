import { FLEET_NOUNS } from "../../../src/fleet/desired-fleet.ts";
import { closed, orNull, text, texts, word } from "./schema.ts";

/** What `apply -o json` prints of each change. */
export const APPLIED_CHANGE = closed("What became of one change of a plan.", {
  action: orNull(
    word("What the request does; null if no request can make the change.", ["create", "update", "delete"]),
  ),
  noun: word("The kind of resource.", FLEET_NOUNS),
  id: text("The ID; for a network its type and name, e.g. evm:sepolia."),
  outcome: word(
    "What became of it: applied now or already, failed, unknown, applied with another result (mismatch), skipped since it needs another change, skipped since the relayer is disabled, not started, or impossible (cannot).",
    ["applied", "already", "failed", "unknown", "mismatch", "skipped", "disabled", "not_started", "cannot"],
  ),
  applied: word("Whether the command changed the resource.", ["yes", "no", "unknown"]),
  members: texts("The members that change; of a new resource, each that is set."),
  error: orNull(text("The word of the failure, e.g. conflict; null if there is none.")),
  reason: orNull(text("Why it was not applied, or a note about it; null if there is none.")),
});
