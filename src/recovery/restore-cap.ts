import type { Client } from "../client/client.ts";
import type { Clock } from "../client/clock.ts";
import { apiRequest, type WriteFacts } from "../client/request.ts";
import { spelledFor } from "../client/respell.ts";
import { priceText, wireAmount } from "../contract/amount.ts";
import { capIn } from "../contract/policy/cap-change.ts";
import type { Relayer, UpdateRelayerRequest } from "../contract/resources/relayer.ts";
import { type Failure, RelayctlError } from "../errors.ts";
import { commandLine } from "../shell/shell-words.ts";
import { RESTORE_INTERVAL } from "../timing.ts";

/** Returns a cap as shown. @param cap in wei; undefined if none is set */
export function capText(cap: bigint | undefined): string {
  return cap === undefined ? "not set" : priceText(cap);
}

/** Returns the command that sets a cap back. @param session the flags that choose the server */
export function restoringCommand(
  session: readonly string[],
  { relayerId, from }: { relayerId: string; from: bigint },
): string {
  return commandLine(...session, "relayers", "update", relayerId, "--policy", `gas_price_cap=${from}wei`);
}

export interface Raised {
  relayerId: string;
  from: bigint;
  to: bigint;
  /** What the journal calls it. */
  key: string;
}

export type Restored =
  /** It is the earlier one; `wasSent` says whether a request made it so. */
  | { state: "restored"; wasSent: boolean }
  /** Somebody set another one meanwhile, in wei; undefined if none is set. */
  | { state: "changed"; cap: bigint | undefined }
  /** It may still be raised, and is if the last read says so and nothing that could restore it is on its way. */
  | { state: "failed"; error: RelayctlError; isRaised: boolean };

/** How often restoring is tried after failures that are known to have changed nothing. */
const TRIES = 3;

const FINAL: readonly Failure[] = ["interrupted", "declined", "internal"];

/** Sets a relayer's cap back, if it is still the raised one. After a lost response the cap is read instead. */
export async function restoreCap(
  { relayers }: Pick<Client, "relayers">,
  raised: Raised,
  clock: Pick<Clock, "sleep">,
): Promise<Restored> {
  let isSent = false;
  for (let tries = 1; ; tries++) {
    const restored = await restoreOnce({ relayers }, raised, isSent);
    if (restored.state !== "failed") return restored;
    const { applied, failure } = restored.error;
    isSent ||= applied !== "no";
    if (tries >= TRIES || FINAL.includes(failure)) return restored;
    await clock.sleep(RESTORE_INTERVAL);
  }
}

async function restoreOnce(
  { relayers }: Pick<Client, "relayers">,
  { relayerId, from, to, key }: Raised,
  isSent: boolean,
): Promise<Restored> {
  let isRead = false;
  try {
    const { data: relayer } = await relayers.get(relayerId);
    const cap = wireAmount(capIn(relayer));
    if (cap === from) return { state: "restored", wasSent: isSent };
    if (cap !== to) return { state: "changed", cap };
    isRead = true;
    if (isSent) throw new RelayctlError("unknown", "the request to restore it was sent, and it is still raised");
    await setCap({ relayers }, relayer, from, { restores: key });
    return { state: "restored", wasSent: true };
  } catch (thrown) {
    const error = thrown instanceof RelayctlError ? thrown : unexpected(thrown);
    return { state: "failed", error, isRaised: isRead && (isSent || error.applied === "no") };
  }
}

export async function setCap(
  { relayers }: Pick<Client, "relayers">,
  before: Relayer,
  cap: bigint,
  facts: Pick<WriteFacts, "temporary" | "keeps" | "restores">,
): Promise<void> {
  const patch = { policies: { gas_price_cap: cap } };
  const request = spelledFor(apiRequest("relayers.update", { relayer_id: before.id }, patch), before);
  await relayers.update(before.id, request.body as UpdateRelayerRequest, { before, ...facts });
}

function unexpected(error: unknown): RelayctlError {
  return new RelayctlError("internal", "restoring it failed for a reason that is a bug in relayctl", {
    applied: "unknown",
    cause: error,
  });
}
