import type { Confirmation } from "./transport.ts";
import type { Wire } from "./wire.ts";

/** Resolves when more bytes arrive, when the service closes the connection, or when it has been watched long enough. */
export async function closedOrLongEnough(wire: Wire, { linger }: Confirmation): Promise<void> {
  const over = new AbortController();
  await Promise.race([wire.nextChange(), linger(over.signal)]);
  over.abort("finished");
}
