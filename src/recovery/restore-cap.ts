import type { Client } from "../client/client.ts";
import type { Clock } from "../client/clock.ts";
import { apiRequest, type WriteFacts } from "../client/request.ts";
import { respellForRecord } from "../client/respell.ts";
import { priceText, wireAmount } from "../contract/amount.ts";
import { capIn } from "../contract/policy/cap-change.ts";
import type { Relayer, UpdateRelayerRequest } from "../contract/resources/relayer.ts";
import { type Failure, RelayctlError } from "../errors.ts";
import { commandLine } from "../shell/shell-words.ts";
import { RESTORE_INTERVAL } from "../timing.ts";

/** @param cap in wei; undefined if unset */
export function gasCapText(cap: bigint | undefined): string {
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
  key: string;
}

export type Restored =
  /** It is the earlier one; `wasSent` says whether a request restored it. */
  | { state: "restored"; wasSent: boolean }
  /** Another user set a different cap, in wei; undefined if unset. */
  | { state: "changed"; cap: bigint | undefined }
  /** It may still be raised; `isRaised` if the last read says so, and nothing that could restore it is pending. */
  | { state: "failed"; error: RelayctlError; isRaised: boolean };

/** How often restoring is tried after failures that are known to have changed nothing. */
const TRIES = 3;

const FINAL: readonly Failure[] = ["interrupted", "declined", "internal"];

/** Restores a relayer's cap, if it is still raised. After a lost response, reads the cap. */
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
    const error = thrown instanceof RelayctlError ? thrown : unexpectedCap(thrown);
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
  const request = respellForRecord(apiRequest("relayers.update", { relayer_id: before.id }, patch), before);
  await relayers.update(before.id, request.body as UpdateRelayerRequest, { before, ...facts });
}

function unexpectedCap(error: unknown): RelayctlError {
  return new RelayctlError("internal", "restoring it failed for a reason that is a bug in relayctl", {
    applied: "unknown",
    cause: error,
  });
}
