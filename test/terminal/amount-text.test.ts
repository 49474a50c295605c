import { currencyOf, LAMPORTS, STROOPS } from "../../src/contract/amount.ts";
import { showAmount } from "../../src/views/policy-field.ts";
import { MAX_U128 } from "./sample-relayers.ts";

const CURRENCIES = { wei: currencyOf("evm", "ETH"), lamport: LAMPORTS, stroop: STROOPS };

test.each([
  [80000000000, "wei", "0.00000008 ETH (80000000000)"],
  ["500000000000000000", "wei", "0.5 ETH (500000000000000000)"],
  ["0x12a05f200", "wei", "0.000000005 ETH (5000000000)"],
  [12, "wei", "0.000000000000000012 ETH (12)"],
  [BigInt(MAX_U128), "wei", `340282366920938463463.374607431768211455 ETH (${MAX_U128})`],
  [10000000, "lamport", "0.01 SOL (10000000)"],
  [5, "stroop", "0.0000005 XLM (5)"],
  [null, "wei", ""],
  [undefined, "wei", ""],
  ["a lot", "wei", "a lot"],
] as const)("shows %s %s as %s", (value, unit, shown) => expect(showAmount(value, CURRENCIES[unit])).toBe(shown));
