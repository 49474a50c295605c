import { hasTestCoins } from "../../../chain/network.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { TEST_ACCOUNT, testAccountsIn } from "../../../contract/test-accounts.ts";
import type { Session } from "../../../session/session.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";

export async function paysInTestCoins({ isDemo, briefly }: Session, relayer: Relayer | undefined): Promise<boolean> {
  if (isDemo) return true;
  return await hasTestCoins(briefly(COIN_TIMEOUT).networks, relayer?.network);
}

export async function testAccountWarnings(
  session: Session,
  relayer: Relayer | undefined,
  { to, data }: JsonObject,
): Promise<{ warning: string }[]> {
  const accounts = testAccountsIn({ to, data });
  if (accounts.length === 0 || (await paysInTestCoins(session, relayer))) return [];
  return accounts.map((account) => ({ warning: `${account} is ${TEST_ACCOUNT}` }));
}
