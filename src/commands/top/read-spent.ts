import { coinAmount } from "../../contract/amount.ts";
import { currencyOf } from "../../contract/currency.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Session } from "../../session/session.ts";
import type { Call } from "../command.ts";
import { countedCosts, readCosts, sentTransactions } from "../history/costs.ts";

const [HOUR, DAY] = [3_600_000, 86_400_000];
/** The transactions whose cost is read when a relayer opens, the newest ones: each takes several requests. */
const MOST_COSTS = 50;

/** Returns what a relayer moved and paid in fees today and in the last hour, by what this machine sent. */
export async function readSpentLines(
  call: Pick<Call, "app" | "say">,
  session: Session,
  { relayerId, symbol }: { relayerId: string; symbol: string | undefined },
): Promise<string[]> {
  const now = call.app.clock.now();
  const times = { "today (UTC)": now - (now % DAY), "last hour": now - HOUR };
  const journal = await session.journal();
  if (!journal) return [];
  const { transactions } = await sentTransactions(journal, session.origin, Math.min(...Object.values(times)));
  const own = transactions.filter((sent) => sent.relayerId === relayerId);
  if (own.length === 0) return ["  no transactions sent from this machine today"];
  const quiet = { ...session, client: session.inBulk({ retries: 0 }) };
  const done = await readCosts({ call, session: quiet, journal }, own.slice(0, MOST_COSTS), 1);
  const rows = Object.entries(times).map(([name, since]) => {
    const sent = own.filter(({ write }) => receivedTime(write.intent.time) >= since);
    const [costs] = countedCosts(sent, done).costs;
    const [value, fees] = [costs?.value ?? 0n, costs?.fees ?? 0n].map((sum) =>
      coinAmount(sum, currencyOf("evm", symbol)),
    );
    const left = sent.length - (costs?.transactions ?? 0);
    return `    ${name.padEnd(12)} ${value}, fees ${fees}, ${sent.length} sent${left > 0 ? `, ${left} not counted` : ""}`;
  });
  return ["  spent, as this machine knows from its journal", ...rows];
}
