import { hasTestCoins } from "../../../chain/network.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { TEST_ACCOUNT, testAccountsIn } from "../../../contract/test-accounts.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

export async function paysInTestCoins(call: Call, relayer: Relayer | undefined): Promise<boolean> {
  if (call.common.demo) return true;
  const { briefly } = await call.session();
  return await hasTestCoins(briefly(COIN_TIMEOUT).networks, relayer?.network);
}

export async function testAccountWarnings(
  call: Call,
  relayer: Relayer | undefined,
  { to, data }: JsonObject,
): Promise<{ warning: string }[]> {
  const accounts = testAccountsIn({ to, data });
  if (accounts.length === 0 || (await paysInTestCoins(call, relayer))) return [];
  return accounts.map((account) => ({ warning: `${account} is ${TEST_ACCOUNT}` }));
}
