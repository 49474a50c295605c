import { evmSignatureDigits, hashDigits } from "../digits.ts";
import type { Resource } from "../state/collection.ts";
import { serverTime } from "../world.ts";
import { BASE, demoRelayers, MAIN_1, MAIN_2 } from "./relayers.ts";

export function seedTimeBefore(start: number, minutes: number): string {
  return serverTime(Math.round(start - minutes * 60_000));
}

export function seedSentBefore(start: number, minutes: number): Pick<Resource, "created_at" | "sent_at"> {
  return { created_at: seedTimeBefore(start, minutes), sent_at: seedTimeBefore(start, minutes - 1 / 60) };
}

/** Pending transactions, and a final one. Amounts are strings as in interface 2.4; Stellar's are integers (facts 9). */
export function listSeedTransactions(start: number): readonly Resource[] {
  return [...listEvm(start), ...listOthers(start)];
}

function listEvm(start: number): readonly Resource[] {
  return [
    evmSeedTransaction(1, {
      id: "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
      relayer_id: "eth-main-1",
      status: "submitted",
      ...seedSentBefore(start, 184),
      to: MAIN_2,
      value: "200000000000000000",
      nonce: 7,
      max_fee_per_gas: "12500000000",
      max_priority_fee_per_gas: "1000000000",
      speed: "average",
    }),
    evmSeedTransaction(2, {
      id: "0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60",
      relayer_id: "eth-main-1",
      status: "confirmed",
      ...seedSentBefore(start, 200),
      confirmed_at: seedTimeBefore(start, 199.5),
      to: BASE,
      value: "1500000000000000000",
      nonce: 6,
      max_fee_per_gas: "11000000000",
      max_priority_fee_per_gas: "1000000000",
      speed: "fast",
    }),
    evmSeedTransaction(3, {
      id: "b83e6f10-2d4c-4e9b-a7f5-90c1d2e3f471",
      relayer_id: "eth-main-2",
      status: "submitted",
      ...seedSentBefore(start, 20.5),
      to: "0x52908400098527886E0F7030069857D2E4169EE7",
      value: "50000000000000000",
      nonce: 41,
      max_fee_per_gas: "12500000000",
      max_priority_fee_per_gas: "1000000000",
      speed: "fast",
    }),
    evmSeedTransaction(4, {
      id: "d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293",
      relayer_id: "polygon-bulk",
      status: "sent",
      created_at: seedTimeBefore(start, 4.2),
      to: MAIN_1,
      value: "0",
      data: "0xa9059cbb0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc00000000000000000000000000000000000000000000000000000000000f4240",
      nonce: 1_204,
      gas_limit: 65_000,
      gas_price: "30000000000",
    }),
  ];
}

function listOthers(start: number): readonly Resource[] {
  return [
    {
      id: "4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5",
      relayer_id: "xlm-treasury",
      status: "submitted",
      status_reason: null,
      ...seedSentBefore(start, 2.2),
      confirmed_at: null,
      hash: hashDigits("stellar", 5),
      source_account: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
      fee: 100,
      sequence_number: 4_294_967_297,
    },
    {
      id: "9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3",
      relayer_id: "sol-pay",
      status: "submitted",
      status_reason: null,
      ...seedSentBefore(start, 1.5),
      confirmed_at: null,
      hash: hashDigits("solana", 6),
      transaction: "AQABAgMEBQYHCAkKCwwNDg8=",
    },
  ];
}

/** Returns the fields of a record in the order of interface 2.4. Each is always present, null if unset (facts 5.2). */
export function evmSeedTransaction(hash: number, fields: Resource): Resource {
  const unset = {
    id: fields.id,
    relayer_id: null,
    status: null,
    status_reason: null,
    created_at: null,
    sent_at: null,
    confirmed_at: null,
    hash: hashDigits("evm", hash),
    from: demoRelayers.find(({ id }) => id === fields.relayer_id)?.address ?? null,
    to: null,
    value: null,
    data: null,
    nonce: null,
    gas_limit: 21_000,
    gas_price: null,
    max_fee_per_gas: null,
    max_priority_fee_per_gas: null,
    speed: null,
    signature: evmSignatureDigits(hash),
  };
  return { ...unset, ...fields };
}
