import { relayerNode } from "../../../chain/node/relayer-node.ts";
import { apiRequest } from "../../../client/request.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { type Currency, currencyOf } from "../../../contract/currency.ts";
import { type JsonObject, writeJson } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { usageError } from "../../../errors.ts";
import { payerWarnings, refuseForPayer } from "../../../payments/file/relayer-problems.ts";
import { totalRows, totalsOf } from "../../../payments/file/totals.ts";
import type { Payment, PaymentFile } from "../../../payments/payment.ts";
import { createServiceTime, type ServiceTime } from "../../../payments/run/service-time.ts";
import { aligned } from "../../../terminal/width.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { feeOf } from "../funds/fee.ts";
import { balanceOf } from "../funds/funds.ts";
import { compareWithLimits } from "../limits/compare-with-limits.ts";
import { refuseIdle, refuseOtherCoin } from "../relayer-check.ts";

/** The relayer that pays, as it was read. */
export interface Payer {
  relayer: Relayer;
  coin: Currency;
  time: ServiceTime;
}

const REASONS: Readonly<Record<string, string>> = {
  solana: "a Solana transaction is built and signed by its client, and its record does not show what it pays",
  stellar: "the record of a Stellar transaction shows neither its operations nor its memo",
};

/**
 * Reads the relayer, and refuses one that cannot pay now, or whose payments could not be found again after a lost
 * response.
 * @throws RelayctlError usage or conflict
 */
export async function readPayer(
  call: Call,
  session: Session,
  { relayerId, file }: { relayerId: string; file: PaymentFile },
): Promise<Payer> {
  const request = apiRequest("relayers.get", { relayer_id: relayerId });
  const { data, head } = await session.client.request(request);
  const relayer = data as Relayer;
  const kind = String(relayer.network_type);
  if (kind !== "evm") {
    const why = REASONS[kind] ?? "its kind is unknown";
    const rule = `${relayerId} is a relayer on ${kind}: ${why}, so that a payment whose response is lost could not be found again; send each with tx send --once`;
    throw usageError([{ where: "<relayer-id>", rule }]);
  }
  refuseIdle(relayer, session.flags);
  const { coin } = file;
  const coins = coin ? [{ flag: coin.where, text: coin.text, coin: coin.coin }] : [];
  await refuseOtherCoin(call, relayer, { coins, relayerId });
  return {
    relayer,
    coin: currencyOf("evm", await symbolFor(call, relayer)),
    time: createServiceTime(head?.headers.date, call.app.clock.now()),
  };
}

/** The rows that are sent now. */
export interface Due {
  file: PaymentFile;
  payments: readonly Payment[];
  sum: bigint;
}

/** Returns the part of a file that is sent now, as a file. */
function partOf({ file, payments, sum }: Due): PaymentFile {
  return { ...file, payments, total: sum };
}

/** Reads the balance, and refuses payments that the relayer does not allow or cannot cover. @throws RelayctlError usage */
export async function refuseUnpayable(
  call: Call,
  session: Session,
  { relayer, coin }: Payer,
  due: Due,
): Promise<bigint | undefined> {
  const balance = await balanceOf(call, relayer.id);
  const hint = commandLine(...session.flags, "relayers", "get", relayer.id);
  refuseForPayer(partOf(due), { relayer, coin, balance, hint });
  return balance;
}

/** Returns the lines above the question: how many payments, their sum, fees, and the balance; and what is unusual. */
export async function payerLines(
  session: Session,
  { relayer, coin }: Payer,
  due: Due,
  { gas, balance }: { gas: readonly bigint[]; balance: bigint | undefined },
): Promise<string[]> {
  const fees = await feesOf(session, relayer, due, gas);
  const money = { coin, ...(fees !== undefined && { fees }), ...(balance !== undefined && { balance }) };
  const rows = [
    ["file", due.file.name, `SHA-256 ${due.file.sha256}`],
    ...totalRows(totalsOf(due.payments), money),
    ["gas", `${gas.reduce((sum, each) => sum + each, 0n)}`, "in all, before the offsets that distinguish the rows"],
  ];
  const warnings = [...due.file.warnings, ...payerWarnings(partOf(due), relayer)];
  return [
    ...aligned(rows.map(([label, ...cells]) => [`  ${label}`, ...cells])),
    ...warnings.map((text) => `warning: ${text}`),
  ];
}

/** Files with more different prices are too unusual to estimate the fee of each. */
const MOST_PRICES = 8;

/** Returns about how much the gas costs at the prices of the rows; undefined if it is not known of each. */
async function feesOf(
  session: Session,
  relayer: Relayer,
  { payments }: Due,
  gas: readonly bigint[],
): Promise<bigint | undefined> {
  const groups = new Map<string, { request: JsonObject; gas: bigint }>();
  for (const [index, { request }] of payments.entries()) {
    const key = writeJson(request);
    const sum = (groups.get(key)?.gas ?? 0n) + (gas[index] ?? 0n);
    groups.set(key, { request, gas: sum });
  }
  if (groups.size > MOST_PRICES) return undefined;
  const node = relayerNode(session.briefly(FUNDS_TIMEOUT).relayers, relayer.id);
  let fees = 0n;
  for (const { request, gas: sum } of groups.values()) {
    const fee = await feeOf({ kind: "evm", body: { ...request, gas_limit: sum }, relayer, node });
    if (!fee) return undefined;
    fees += fee.amount;
  }
  return fees;
}

const MOST_LIMIT_LINES = 10;

/**
 * Returns how payments go beyond the limits of their context: each by itself, and all of them together with those of the day.
 * @throws RelayctlError usage if there is no journal for the sum of the day
 */
export async function exceededBy(call: Call, session: Session, { relayer }: Payer, due: Due): Promise<string[]> {
  const { max_per_day: day, ...each } = session.limits;
  const limited = { relayerId: relayer.id, relayer, kind: "evm" as const };
  const lines = new Set<string>();
  if (Object.keys(each).length > 0) {
    const alone = { ...session, limits: each };
    for (const { row, to, value } of due.payments) {
      const found = await compareWithLimits(call, alone, { ...limited, body: { to, value: String(value) } });
      for (const line of found) if (lines.size < MOST_LIMIT_LINES) lines.add(`row ${row}: ${line}`);
      if (lines.size >= MOST_LIMIT_LINES) break;
    }
  }
  if (!day) return [...lines];
  const together = { ...session, limits: { max_per_day: day } };
  return [...lines, ...(await compareWithLimits(call, together, { ...limited, body: { value: String(due.sum) } }))];
}
