import type { Notification } from "../contract/resources/notification.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { Remedy } from "./finding.ts";

export interface Place {
  /** Milliseconds since 1970. */
  now: number;
  flags: readonly string[];
  relayers: readonly Relayer[];
  /** Undefined if they could not be listed. */
  notifications: readonly Notification[] | undefined;
}

/** A command's placeholder for something that only the user knows. */
const PLACEHOLDER = /(?:^|[=["])(?:URL|FILE|ADDRESS|AMOUNT|PRICE)(?=$|[\]"])/;

/** A word of a command, or an ID of the service, which may look like a flag. */
type Word = string | { id: string };

/** Returns the words of a command after `relayctl`. IDs that look like flags, e.g. `--all`, come last, after `--`. */
function commandWords({ flags }: Pick<Place, "flags">, ...words: readonly Word[]): readonly string[] {
  const wordText = (word: Word) => (typeof word === "string" ? word : word.id);
  const ids = words.filter((word) => typeof word !== "string").map(wordText);
  if (!ids.some((id) => id.startsWith("-"))) return [...flags, ...words.map(wordText)];
  return [...flags, ...words.filter((word) => typeof word === "string"), "--", ...ids];
}

export function remedyFor(place: Pick<Place, "flags">, ...words: readonly Word[]): Remedy {
  const isComplete = !words.some((word) => typeof word === "string" && PLACEHOLDER.test(word));
  return { argv: commandWords(place, ...words), isComplete };
}

export function remedyLookLine(place: Pick<Place, "flags">, ...words: readonly Word[]): string {
  return commandLine(...commandWords(place, ...words));
}

/** Returns the command that changes a relayer; undefined for a disabled one, which the service refuses to change. */
export function fixRelayer(place: Pick<Place, "flags">, { id, system_disabled }: Relayer, ...words: readonly string[]) {
  return system_disabled === true ? undefined : remedyFor(place, "relayers", "update", { id }, ...words);
}

export const ONCE_ENABLED = "Change this after the relayer is enabled; the service refuses it now.";

/** Returns the most common notification, for a relayer without one. */
export function proposedNotification({ notifications = [], relayers }: Place): string | undefined {
  const ids = notifications.map(({ id }) => id);
  return ids.sort((one, other) => usesOfNotification(relayers, other) - usesOfNotification(relayers, one))[0];
}

export function usesOfNotification(relayers: readonly Relayer[], id: string): number {
  return relayers.filter(({ notification_id }) => notification_id === id).length;
}

export function hasNotification({ notification_id: id }: Relayer): boolean {
  return typeof id === "string" && id !== "";
}
