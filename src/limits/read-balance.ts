import { wireAmount } from "../contract/amount.ts";
import { RelayctlError } from "../errors.ts";
import type { CallContext } from "../session/call-context.ts";
import type { Session } from "../session/session.ts";
import { FUNDS_TIMEOUT } from "../timing.ts";

interface Asking extends Pick<CallContext, "say"> {
  app: Pick<CallContext["app"], "interrupt">;
  session(): Promise<Pick<Session, "briefly">>;
}

/** Reads the balance of a relayer. One that cannot be read is noted. */
export async function balanceOf(call: Asking, id: string): Promise<bigint | undefined> {
  const { briefly } = await call.session();
  try {
    const { data } = await briefly(FUNDS_TIMEOUT).relayers.balance(id);
    const balance = wireAmount(data.balance);
    if (balance === undefined)
      await call.say(`note: the balance of ${id} could not be read; the amount was not checked`);
    return balance;
  } catch (error) {
    const { message } = createFailure(call, error);
    await call.say(`note: the balance of ${id} could not be read, and the amount was not checked: ${message}`);
    return undefined;
  }
}

function createFailure({ app }: Asking, error: unknown): RelayctlError {
  if (!(error instanceof RelayctlError) || app.interrupt.aborted) throw error;
  return error;
}
