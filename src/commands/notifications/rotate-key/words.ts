import { flagWords } from "../../../command-support/prompting/ask-text.ts";
import type { Receipt } from "../../../command-support/receipt.ts";
import { nextWords, receiptWords } from "../../../command-support/receipt-words.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { Notification } from "../../../contract/resources/notification.ts";
import { DELIVERY_ATTEMPTS, retryTime } from "../../../contract/webhook/attempts.ts";
import { visible } from "../../../terminal/escape.ts";
import { aligned } from "../../../terminal/width.ts";
import { undoCommand, undoLine } from "../../undo-line.ts";
import { undoOfNotification } from "../send-change.ts";
import type { Rotation } from "./flags.ts";

const SECOND = 1000;
const SIGNED = "from now on the new key signs every attempt, also the retries of earlier events";

/** Returns what the question shows: where deliveries go, and where the new key is. */
export function questionLines(
  { keyFile, isGenerated }: Rotation,
  { url, has_signing_key: had }: Notification,
): string[] {
  const written = isGenerated ? [["  new key", `in ${visible(String(keyFile))}, for the receiver`]] : [];
  const old = typeof had === "boolean" ? `${had ? "set" : "none"} → ` : "→ ";
  return aligned([
    ["  url", visible(String(url ?? ""))],
    ["  signing key", `${old}${had ? "another" : "set"}`],
    ...written,
  ]);
}

/** Returns the effects of a rotation for the question, before it is sent. */
export function questionEffects({ has_signing_key: had }: Notification): string[] {
  const { least, most } = retryTime();
  const first = "deliveries will be signed: a receiver that verifies signatures must already accept the key";
  const next =
    "deliveries will be signed with the new key alone: the receiver must already accept it, next to the old one";
  const lost = `an event that the receiver refuses is lost after ${DELIVERY_ATTEMPTS} attempts, within ${least / SECOND} to ${most / SECOND} s`;
  return [had === false ? first : next, lost];
}

/**
 * Returns the receipt of a rotation: since when, and how long the old key still matters. The key is read again before
 * each attempt (facts 7.1), so that only attempts that began before still have the old signature; they have no time
 * limit. After the longest retries, each event that was first signed with the old key has ended.
 * @param now milliseconds since 1970
 */
export function rotationReceipt(rotation: Rotation, before: Notification, session: Session, now: number): Receipt {
  const { id } = rotation;
  const had = before.has_signing_key;
  const { most } = retryTime();
  const until = new Date(Math.ceil((now + most) / SECOND) * SECOND).toISOString().replace(".000Z", "Z");
  const both = [
    "attempts in progress still have the old signature, and the service gives them no time limit",
    `accept the old key until ${until} (${most / SECOND} s, when all retries have begun), and while a request from before is open`,
  ];
  return {
    applied: receiptWords.applied(session.name, `${had === false ? "first" : "new"} signing key for ${id}`),
    effects: [SIGNED, ...(had === false ? [] : [...both, ...watchLine(rotation)])],
    next: goBack(rotation, before, session),
  };
}

/** Returns the command that shows which of both keys signs each delivery, if both have files. */
function watchLine({ keyFile = "-", oldKeyFile = "-" }: Rotation): string[] {
  if (keyFile === "-" || oldKeyFile === "-") return [];
  const keys = [keyFile, oldKeyFile].flatMap((file) => flagWords("--signing-key-file", file));
  return [nextWords.see(commandLine("webhooks", "listen", ...keys))];
}

/** Returns the command that sets the old key again, as far as its file is known. */
function goBack({ id, key, oldKeyFile }: Rotation, before: Notification, session: Session): string {
  if (oldKeyFile === undefined || oldKeyFile === "-")
    return undoLine(undoOfNotification({ signing_key: key }, before), session, "notifications", "update", id);
  const undo = undoCommand(
    { flags: flagWords("--signing-key-file", oldKeyFile) },
    session,
    "notifications",
    "rotate-key",
    id,
  );
  return "because" in undo ? nextWords.cannotUndo(undo.because) : nextWords.undo(undo.line);
}
