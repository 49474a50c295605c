import { RelayctlError } from "../../errors.ts";
import { TOKEN_MARGIN } from "../../timing.ts";
import type { Lifetime } from "./printed-token.ts";

/** Returns a function that renews before the expiration, once for all callers. After a failure, it tries again halfway. */
export function createRenewal<T extends Lifetime>(
  first: T,
  read: () => Promise<T>,
  clock: { now(): number },
  failed: (error: RelayctlError) => Promise<void>,
): () => Promise<T> {
  let current = planRenewal(first, clock.now());
  let reading: Promise<void> | undefined;
  let isNoted = false;
  const renew = async () => {
    try {
      current = planRenewal(await read(), clock.now());
      isNoted = false;
    } catch (error) {
      const now = clock.now();
      const left = current.expiresAt - now;
      if (!(error instanceof RelayctlError) || error.failure === "interrupted" || left <= 0) throw error;
      current = { ...current, renewAt: left < Infinity ? now + left / 2 : planRenewal(current.read, now).renewAt };
      if (!isNoted && left < Infinity) await failed(error);
      isNoted = true;
    }
  };
  return async () => {
    if (clock.now() < current.renewAt) return current.read;
    reading ??= renew().finally(() => {
      reading = undefined;
    });
    await reading;
    return current.read;
  };
}

/** Short-lived credentials are used for half of their time. */
function planRenewal<T extends Lifetime>(read: T, now: number) {
  const { expiresAt = Number.POSITIVE_INFINITY, renewAfter = Number.POSITIVE_INFINITY } = read;
  const renewAt = Math.min(now + renewAfter, expiresAt - Math.min(TOKEN_MARGIN, (expiresAt - now) / 2));
  return { read, expiresAt, renewAt };
}
