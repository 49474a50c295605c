import { createClient } from "../../../../src/library.ts";
import {
  copyPaymentOptions,
  type PaymentToSend,
  type SendManyOptions,
} from "../../../../src/payments/library/options.ts";
import { receiver } from "../../../helpers/payouts.ts";

const OPTIONS: SendManyOptions = { state: "runs", confirm: 1n };

test("payments and options that a program changes after the call stay as they were", () => {
  const payments = [{ to: receiver(1), value: 1n }];
  const assumeNotSent = [1];
  const options = { ...OPTIONS, assumeNotSent };
  const [source, given] = copyPaymentOptions({ payments }, options);
  Object.assign(payments[0] ?? {}, { to: receiver(2), value: 2n });
  payments.push({ to: receiver(3), value: 3n });
  assumeNotSent.push(2);
  Object.assign(options, { state: "others", again: true });
  expect(source).toMatchObject({ payments: [{ to: receiver(1), value: 1n }] });
  expect(given).toEqual({ ...OPTIONS, assumeNotSent: [1] });
});

test("a member is read once, also from a getter of a class", () => {
  let reads = 0;
  class Row {
    to = receiver(1);
    get value(): bigint {
      return BigInt(++reads);
    }
  }
  const [source] = copyPaymentOptions({ payments: [new Row()] }, OPTIONS);
  const [payment] = "payments" in source ? source.payments : [];
  expect([payment?.value, payment?.value, reads]).toEqual([1n, 1n, 1]);
});

test("a client validates the payments that it was called with", async () => {
  const client = createClient({ server: "http://127.0.0.1:9", token: "token" });
  const payments = [{ to: "0x12", value: 1n }];
  const sending = client.tx.sendMany("base-hot", { payments }, { ...OPTIONS, speed: "fast" });
  Object.assign(payments[0] ?? {}, { to: receiver(1) });
  await expect(sending).rejects.toMatchObject({ failure: "usage", details: [{ where: "payments[0].to" }] });
});

test.each([null, undefined, 5, "0x12"])("a list with %s in place of a payment is refused", async (payment) => {
  const client = createClient({ server: "http://127.0.0.1:9", token: "token" });
  const payments = [payment] as unknown as PaymentToSend[];
  await expect(client.tx.sendMany("base-hot", { payments }, OPTIONS)).rejects.toMatchObject({
    failure: "usage",
    details: [{ where: "payments[0]", rule: "must be an object with to and value" }],
  });
});
