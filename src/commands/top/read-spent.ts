import { formatAmount } from "../../contract/amount.ts";
import { currencyOf } from "../../contract/currency.ts";
import type { Session } from "../../session/session.ts";
import type { Call } from "../command.ts";
import { countedCosts, readCosts, sentTransactions, startOfPeriods } from "../history/costs.ts";

/** The transactions whose cost is read when a relayer opens, the newest ones: each takes several requests. */
const MOST_COSTS = 50;

/** Returns what a relayer moved and paid in fees today and in the last hour, by what this machine sent. */
export async function readSpentLines(
  call: Pick<Call, "app" | "say">,
  session: Session,
  { relayerId, symbol }: { relayerId: string; symbol: string | undefined },
): Promise<string[]> {
  const now = call.app.clock.now();
  const journal = await session.journal();
  if (!journal) return [];
  const { transactions } = await sentTransactions(journal, session.origin, startOfPeriods(now));
  const own = transactions.filter((sent) => sent.relayerId === relayerId);
  if (own.length === 0) return ["  no transactions sent from this machine today"];
  const quiet = { ...session, client: session.inBulk({ retries: 0 }) };
  const done = await readCosts({ call, session: quiet, journal }, own.slice(0, MOST_COSTS), 1);
  const [costs] = countedCosts(own, done, { now }).costs;
  const rows = Object.entries({ "today (UTC)": costs?.today, "last hour": costs?.lastHour }).map(([name, spent]) => {
    const { sent = 0, transactions: counted = 0, value = 0n, fees = 0n } = spent ?? {};
    const [moved, paid] = [value, fees].map((sum) => formatAmount(sum, currencyOf("evm", symbol)));
    return `    ${name.padEnd(12)} ${moved}, fees ${paid}, ${sent} sent${sent > counted ? `, ${sent - counted} not counted` : ""}`;
  });
  return ["  spent, as this machine knows from its journal", ...rows];
}
