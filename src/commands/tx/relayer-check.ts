import { networkHasTestCoins } from "../../chain/network.ts";
import type { ApiResult } from "../../client/request.ts";
import { coinFor } from "../../coins/coin-symbol.ts";
import { isWellKnownCoin, type NamedCoin, validateCoins } from "../../coins/named-coins.ts";
import type { JsonObject } from "../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import { Problems } from "../../contract/problems.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { givenInBody } from "../../contract/requests/body-problems.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { TEST_ACCOUNT, testAccountsIn } from "../../contract/test-accounts.ts";
import { ONE_OF_KIND } from "../../contract/transaction/body-kind.ts";
import type { RelayctlError } from "../../errors.ts";
import { refuseDisabledOrPaused } from "../../relayer-state/disabled.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { COIN_TIMEOUT } from "../../timing.ts";
import { convertedBody } from "../../views/transaction/body-rows.ts";
import type { WaitPlan } from "./wait/flags.ts";

export interface Sending {
  relayerId: string;
  kind: NetworkKind | undefined;
  body: JsonObject;
  sourceOf(path: string): string;
  coins: readonly NamedCoin[];
  wait?: WaitPlan | undefined;
  /** The key under which it is sent at most once. */
  once?: string | undefined;
  /** Why the receiver could not be read: the body has the first run's, and is not sent. */
  unread?: RelayctlError;
}

export async function relayerToCheck(session: Session, sending: Sending): Promise<ApiResult<Relayer>> {
  const result = await session.client.relayers.get(sending.relayerId);
  checkByRelayer(result.data, sending, session.flags);
  await checkRelayerCoin(session, result.data, sending);
  return result;
}

/** Refuses a likely typo: a unit neither well known nor, outside of dry runs, the network's. @throws usage */
export async function checkKnownCoin(
  session: Session,
  { coins, relayerId }: Pick<Sending, "coins" | "relayerId">,
): Promise<void> {
  const unknownCoins = coins.filter(({ coin }) => !isWellKnownCoin(coin));
  if (unknownCoins.length === 0) return;
  const { client, reach } = session;
  const relayer = reach === "nothing" ? undefined : (await client.relayers.get(relayerId)).data;
  await checkRelayerCoin(session, relayer, { coins: unknownCoins, relayerId });
}

/** @param relayer undefined if it is not read, so that all well-known coins pass @throws RelayctlError usage */
export async function checkRelayerCoin(
  session: Session,
  relayer: Relayer | undefined,
  { coins, relayerId }: Pick<Sending, "coins" | "relayerId">,
): Promise<void> {
  if (coins.length === 0) return;
  const problems = new Problems();
  validateCoins(problems, coins, relayer && (await coinFor(session, relayer)));
  problems.throwIfAny(commandLine(...session.flags, "relayers", "get", relayerId));
}

export function checkByRelayer(relayer: Relayer, sending: Sending, flags: readonly string[]): void {
  const readCommand = commandLine(...flags, "relayers", "get", sending.relayerId);
  const problems = new Problems();
  checkRelayerKind(relayer, sending, readCommand);
  refuseDisabledOrPaused(relayer, flags);
  validateNetwork(problems, relayer, sending);
  checkRelayerPolicies(problems, relayer, sending);
  problems.throwIfAny(readCommand);
}

export function checkRelayerPolicies(
  problems: Problems,
  relayer: Relayer,
  { kind, body, sourceOf, coins }: Pick<Sending, "kind" | "body" | "sourceOf"> & Partial<Pick<Sending, "coins">>,
): void {
  for (const { path, rule, allowed } of kind ? relayerRules[kind](body, relayer) : []) {
    const words = allowed === undefined ? rule : `${rule}; ${allowed}`;
    problems.add(sourceOf(path), words, givenInBody(body, path.split("."), convertedBody(coins ?? [])));
  }
}

/** @param readCommand shows the relayer @throws RelayctlError usage if a body is of a different kind */
export function checkRelayerKind(
  { network_type: known }: Relayer,
  { relayerId, kind }: Pick<Sending, "relayerId" | "kind">,
  readCommand: string,
): void {
  if (!isNetworkKind(known) || !kind || known === kind) return;
  const problems = new Problems();
  problems.add(
    "<relayer-id>",
    `is ${ONE_OF_KIND[known]} relayer, and this is ${ONE_OF_KIND[kind]} transaction`,
    relayerId,
  );
  problems.throwIfAny(readCommand);
}

/** Validates the network's name, which the service requires and never reads (facts 5.7). */
function validateNetwork(problems: Problems, { id, network: own }: Relayer, { body, sourceOf }: Sending): void {
  const { network } = body;
  if (typeof network !== "string" || typeof own !== "string" || network === own) return;
  problems.add(sourceOf("network"), `${id} is on ${own}, and the transaction would be sent there regardless`, network);
}

export async function paysInTestCoins({ isDemo, briefly }: Session, relayer: Relayer | undefined): Promise<boolean> {
  if (isDemo) return true;
  return await networkHasTestCoins(briefly(COIN_TIMEOUT).networks, relayer?.network);
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
