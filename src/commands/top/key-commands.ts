import { sourceOf, type Target, type TopState } from "./state.ts";

/** The words of the command of each key that acts. Each asks as it does when it is typed. */
const COMMANDS: Readonly<Record<string, (target: Target) => readonly string[]>> = {
  u: ({ relayerId }) => ["relayers", "unstick", relayerId],
  b: ({ relayerId, transactionId }) => [
    "tx",
    "bump",
    relayerId,
    ...(transactionId === undefined ? [] : [transactionId]),
  ],
  p: ({ relayerId }) => ["relayers", "pause", relayerId],
  r: ({ relayerId }) => ["relayers", "resume", relayerId],
  d: ({ relayerId }) => ["doctor", relayerId, "--no-pager"],
  w: ({ relayerId, transactionId }) =>
    transactionId === undefined
      ? ["relayers", "get", relayerId, "--web"]
      : ["tx", "get", relayerId, transactionId, "--web"],
};

/** The keys whose commands send without a question. */
const ASKED_HERE: Readonly<Record<string, string>> = { p: "Pause", r: "Resume" };

/** Returns the command line of a key with the flags of its context; undefined for a key without one. */
export function commandFor(
  state: TopState,
  key: string,
  target: Target,
): { argv: readonly string[] } | { problem: string } | undefined {
  const words = Object.hasOwn(COMMANDS, key) ? COMMANDS[key]?.(target) : undefined;
  if (!words) return undefined;
  const { relayerId, transactionId = "" } = target;
  if (relayerId.startsWith("-") || transactionId.startsWith("-"))
    return { problem: "an ID that starts with - would be read as a flag; run the command yourself" };
  return { argv: [...(sourceOf(state, target.context)?.flags ?? []), ...words] };
}

/** Returns the question before a command that asks none itself; undefined for the others. */
export function questionFor(_: TopState, key: string, { relayerId, context }: Target): string | undefined {
  const verb = ASKED_HERE[key];
  return verb === undefined ? undefined : `${verb} ${relayerId} in ${context}? [y/N]`;
}
