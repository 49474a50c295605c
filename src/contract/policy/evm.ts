import { MAX_U128 } from "../largest-integers.ts";
import type { PolicyFields } from "./field.ts";

/** interface 2.2; units, defaults, and `include_revert_data` (v1.7) from facts 4.3. */
export const evmPolicyFields = {
  eip1559_pricing: { type: "flag", default: true },
  gas_limit_estimation: { type: "flag", default: true },
  gas_price_cap: {
    type: "amount",
    unit: "wei",
    perGas: true,
    most: MAX_U128,
    unset: "no cap applies",
  },
  min_balance: { type: "amount", unit: "wei", most: MAX_U128, default: 1n },
  private_transactions: { type: "flag", default: false },
  whitelist_receivers: {
    type: "list",
    rule: "a list of addresses",
    addresses: "evm",
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
    unset: "this relayer may send to any address",
    empty: "this relayer may send only to itself and the zero address",
    guards: true,
  },
  include_revert_data: { type: "flag", default: false },
} as const satisfies PolicyFields;
