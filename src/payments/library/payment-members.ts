import type { PaymentSource, PaymentToSend, SendManyOptions } from "./options.ts";

/** The column of each member of a payment, in the order in which they are written. */
export const COLUMNS: Readonly<Record<keyof PaymentToSend, string>> = {
  to: "to",
  value: "value",
  label: "label",
  data: "data",
  gasLimit: "gas_limit",
  speed: "speed",
  gasPrice: "gas_price",
  maxFeePerGas: "max_fee_per_gas",
  maxPriorityFeePerGas: "max_priority_fee_per_gas",
  validUntil: "valid_until",
};
export const MEMBERS = Object.keys(COLUMNS) as (keyof PaymentToSend)[];

/** Copies what is to be paid before anything is awaited: what was validated is what is paid. */
export function copyOf(source: PaymentSource, options: SendManyOptions): [PaymentSource, SendManyOptions] {
  const { assumeNotSent, ...others } = options;
  const given = { ...others, ...(assumeNotSent && { assumeNotSent: [...assumeNotSent] }) };
  if (!("payments" in source)) return [{ file: source.file }, given];
  return [{ payments: Array.from(source.payments, copyOfPayment) }, given];
}

/** A member may also be a getter of a class. */
function copyOfPayment(payment: PaymentToSend): PaymentToSend {
  if (typeof payment !== "object" || payment === null) return payment;
  const names = new Set([...MEMBERS, ...Object.keys(payment)]) as Set<keyof PaymentToSend>;
  return Object.fromEntries(Array.from(names, (name) => [name, payment[name]])) as unknown as PaymentToSend;
}
