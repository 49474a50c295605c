import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError, rescue } from "../../../errors.ts";
import { disabledRefusal } from "../../../relayer-state/disabled.ts";
import type { Session } from "../../../session/session.ts";
import { createStopwatch } from "../../../session/stopwatch.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";

/** Milliseconds for the read: the explanation must not delay the error. */
const LONGEST = 900;

/** Adds to a disabled relayer's refusal why it is disabled, what happens next, and the command that helps. */
export async function explainDisabled(call: Call, failed: RelayctlError): Promise<RelayctlError> {
  const refused = failed.cause instanceof RelayctlError ? failed.cause : failed;
  const id = relayerIn(refused);
  if (id === undefined || call.app.interrupt.aborted) return failed;
  const session = await call.session();
  const relayer = await relayerNow(call, session, id);
  if (!relayer?.system_disabled) {
    if (refused.subject?.kind === "paused") return failed;
    return failed.with({ hint: commandLine(...session.flags, "relayers", "status", id) });
  }
  const { because, hint } = disabledRefusal(relayer, session.flags);
  const [first = "", ...others] = because;
  return failed.with({ because: [failed === refused ? first : `${id}: ${first}`, ...others], hint });
}

function relayerIn({ failure, message, http }: RelayctlError): string | undefined {
  if (failure !== "conflict" || !/^Relayer (?:is )?(?:paused|disabled)/i.test(message)) return undefined;
  const id = /^\/api\/v1\/relayers\/([^/?]+)/.exec(http?.path ?? "")?.[1];
  return id && decodeURIComponent(id);
}

async function relayerNow({ app }: Call, session: Session, id: string): Promise<Relayer | undefined> {
  const { remaining = () => 0 } = createStopwatch(app.clock, Math.min(LONGEST, session.remaining?.() ?? LONGEST));
  const reading = session.inBulk({ retries: 0, remaining }).relayers.get(id);
  return (await rescue(reading, () => undefined))?.data;
}
