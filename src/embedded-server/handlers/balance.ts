import { BASE_UNIT } from "../../contract/currency.ts";
import type { Handler } from "../handler.ts";
import { balanceOf } from "../node/balance.ts";
import { kindOf } from "../relayer-kind.ts";
import { relayerOf } from "../transaction/lookup.ts";

/** Returns an integer of any size, for EVM often above 2^53 (facts 3.1). */
export const getBalance: Handler = async ({ ids: [id = ""], store }) =>
  store.read((state) => {
    const relayer = relayerOf(state, id);
    return { data: { balance: balanceOf(relayer), unit: BASE_UNIT[kindOf(relayer)] } };
  });
