import { wireAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isPending } from "../../../contract/transaction/transaction-state.ts";
import type { Fact, Records } from "../facts.ts";
import { missingFact, type Ration } from "./ration.ts";

/** The records that are read first, and all that are read of a relayer with more pending ones. */
const FEW = 100;
const MANY = 1000;

/** Reads the newest records of a relayer, and more of them if its status shows more pending ones. */
export async function readRecords(
  ration: Ration,
  { id }: Relayer,
  status: JsonObject | undefined,
): Promise<Fact<Records>> {
  const read = (perPage: number) =>
    ration.ask(async (client) => {
      for await (const { items, total } of client.tx.list(id, { page: 1, perPage }))
        return { newest: items, isWhole: total !== undefined && items.length >= total };
      return { newest: [], isWhole: true };
    });
  const few = await read(FEW);
  if (!("value" in few)) return missingFact(few);
  const pending = wireAmount(status?.pending_transactions_count) ?? 0n;
  if (few.value.isWhole || pending <= BigInt(few.value.newest.filter(isPending).length)) return few;
  const many = await read(MANY);
  return "value" in many ? many : few;
}
