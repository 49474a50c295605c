import type { Confirmation } from "./transport.ts";
import type { Wire } from "./wire.ts";

/** Resolves when more comes over a connection, when the service closes it, or when it has been watched for long enough. */
export async function closedOrLongEnough(wire: Wire, { linger }: Confirmation): Promise<void> {
  const over = new AbortController();
  await Promise.race([wire.stir(), linger(over.signal)]);
  over.abort("finished");
}
