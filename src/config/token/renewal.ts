import { TOKEN_MARGIN } from "../../timing.ts";
import type { TokenRead } from "./printed-token.ts";

/**
 * Returns a function that returns a token that has not expired, and reads it again shortly before it expires. Callers at
 * the same time share one reading; a failed one is repeated by the next caller.
 */
export function createRenewal(
  first: TokenRead,
  read: () => Promise<TokenRead>,
  clock: { now(): number },
): () => Promise<string> {
  let token = timed(first, clock.now());
  let reading: Promise<TokenRead> | undefined;
  return async () => {
    if (clock.now() < token.renewAt) return token.token;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    token = timed(await reading, clock.now());
    return token.token;
  };
}

/** A token that lives shortly is used for half of its time. */
function timed({ token, expiresAt = Number.POSITIVE_INFINITY }: TokenRead, now: number) {
  return { token, renewAt: expiresAt - Math.min(TOKEN_MARGIN, (expiresAt - now) / 2) };
}
