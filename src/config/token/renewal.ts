import { RelayctlError } from "../../errors.ts";
import { TOKEN_MARGIN } from "../../timing.ts";
import type { TokenRead } from "./printed-token.ts";

/**
 * Returns a function that returns a token that has not expired, and reads it again shortly before it expires. Callers at
 * the same time share one reading. After a failed one the token is used while it lasts, and is read again halfway to its end.
 * @param failed called with the first of several failures
 */
export function createRenewal(
  first: TokenRead,
  read: () => Promise<TokenRead>,
  clock: { now(): number },
  failed: (error: RelayctlError) => Promise<void>,
): () => Promise<string> {
  let token = timed(first, clock.now());
  let reading: Promise<void> | undefined;
  let isNoted = false;
  const renew = async () => {
    try {
      token = timed(await read(), clock.now());
      isNoted = false;
    } catch (error) {
      const left = token.expiresAt - clock.now();
      if (!(error instanceof RelayctlError) || error.failure === "interrupted" || left <= 0) throw error;
      token = { ...token, renewAt: clock.now() + left / 2 };
      if (!isNoted) await failed(error);
      isNoted = true;
    }
  };
  return async () => {
    if (clock.now() < token.renewAt) return token.token;
    reading ??= renew().finally(() => {
      reading = undefined;
    });
    await reading;
    return token.token;
  };
}

/** A token that lives shortly is used for half of its time. */
function timed({ token, expiresAt = Number.POSITIVE_INFINITY }: TokenRead, now: number) {
  return { token, expiresAt, renewAt: expiresAt - Math.min(TOKEN_MARGIN, (expiresAt - now) / 2) };
}
