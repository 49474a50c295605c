import { refuseForPayer } from "../file/relayer-problems.ts";
import type { PaymentFile } from "../payment.ts";
import type { ReadingWorld } from "./payment-world.ts";
import type { Due, Payer } from "./plan.ts";

export function partOf({ file, payments, sum }: Due): PaymentFile {
  return { ...file, payments, total: sum };
}

/** Reads the balance, and refuses payments that the relayer does not allow or cannot cover. @throws RelayctlError usage */
export async function refuseUnpayable(
  world: Pick<ReadingWorld, "balance" | "commandFor">,
  { relayer, coin }: Payer,
  due: Due,
): Promise<bigint | undefined> {
  const balance = await world.balance();
  refuseForPayer(partOf(due), { relayer, coin, balance, hint: world.commandFor("relayers", "get", relayer.id) });
  return balance;
}
