import type { Client } from "../client/client.ts";
import { apiRequest } from "../client/request.ts";
import { validateCoins } from "../coins/named-coins.ts";
import { currencyOf } from "../contract/amount.ts";
import { Problems } from "../contract/problems.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { usageError } from "../errors.ts";
import { refuseDisabledOrPaused } from "../relayer-state/disabled.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { PaymentFile } from "./payment.ts";
import type { Payer, RunPlan } from "./run/running.ts";

const REASONS: Readonly<Record<string, string>> = {
  solana: "a Solana transaction is built and signed by its client, and its record does not show what it pays",
  stellar: "the record of a Stellar transaction shows neither its operations nor its memo",
};

export interface PayerSource {
  client: Pick<Client, "request">;
  flags: readonly string[];
  symbolOf(relayer: Relayer): Promise<string | undefined>;
}

/** Returns a function that reads the payer when it is first called. */
export function createPayerReader(...read: Parameters<typeof readPayer>): () => Promise<Payer> {
  let reading: Promise<Payer> | undefined;
  return () => (reading ??= readPayer(...read));
}

export async function readPayer(
  { client, flags, symbolOf }: PayerSource,
  { relayerId, file }: Pick<RunPlan, "relayerId"> & { file: Pick<PaymentFile, "coin"> },
): Promise<Payer> {
  const request = apiRequest("relayers.get", { relayer_id: relayerId });
  const { data } = await client.request(request);
  const relayer = data as Relayer;
  const kind = String(relayer.network_type);
  if (kind !== "evm") {
    const why = REASONS[kind] ?? "its kind is unknown";
    const rule = `${relayerId} is a relayer on ${kind}: ${why}, so that a payment whose response is lost could not be found again; send each with tx send --once`;
    throw usageError([{ where: "<relayer-id>", rule }]);
  }
  refuseDisabledOrPaused(relayer, flags);
  const coin = currencyOf("evm", await symbolOf(relayer));
  const problems = new Problems();
  if (file.coin)
    validateCoins(problems, [{ ...file.coin, flag: file.coin.where }], { ...coin, network: relayer.network });
  problems.throwIfAny(commandLine(...flags, "relayers", "get", relayerId));
  return { relayer, coin };
}
