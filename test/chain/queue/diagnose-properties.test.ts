import fc from "fast-check";
import { diagnose } from "../../../src/chain/queue/diagnose.ts";
import type { QueueEvidence } from "../../../src/chain/queue/diagnosis.ts";
import { chooseStep } from "../../../src/commands/relayers/unstick/free.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { CANCELLATION, ORIGINAL, OWN, TO } from "../verdict/records.ts";
import { ago, at, queue } from "./queues.ts";

const GWEI = 10n ** 9n;

const records = fc
  .array(
    fc.record({
      nonce: fc.option(fc.integer({ min: 2, max: 9 })),
      status: fc.constantFrom("pending", "sent", "submitted", "mined", "confirmed", "failed", "canceled"),
      to: fc.constantFrom(TO, OWN, "0x12", null),
      hash: fc.constantFrom(ORIGINAL, null),
      sent_at: fc.constantFrom(ago(5), ago(400), null),
      created_at: fc.constantFrom(ago(6), ago(401)),
      max_fee_per_gas: fc.constantFrom("5000000000", "12000000000", null),
      data: fc.constantFrom(null, "0x", "0xabc", "0xabcd"),
      gas_limit: fc.constantFrom(21_000, null),
      canceling: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((all) =>
    all.map(({ nonce, canceling, ...fields }, index): Transaction => {
      return at(nonce, { ...fields, ...(canceling && CANCELLATION), id: `tx-${index}` });
    }),
  );

const queues: fc.Arbitrary<QueueEvidence> = fc
  .record({
    records,
    isAsked: fc.boolean(),
    nonce: fc.bigInt({ min: 2n, max: 9n }),
    pooled: fc.option(fc.bigInt({ min: 2n, max: 9n }), { nil: undefined }),
    baseFee: fc.constantFrom(GWEI, 10n * GWEI, 60n * GWEI, undefined),
    balance: fc.constantFrom(0n, 10n ** 18n, undefined),
    knowsRecord: fc.constantFrom(true, false, undefined),
    cap: fc.constantFrom(undefined, GWEI, 13n * GWEI, 100n * GWEI),
    isUnraised: fc.boolean(),
    isPaused: fc.boolean(),
    counter: fc.option(fc.bigInt({ min: 0n, max: 12n }), { nil: undefined }),
  })
  .map(({ records: all, isAsked, nonce, pooled, baseFee, balance, knowsRecord, cap, isUnraised, isPaused, counter }) =>
    queue(all, isAsked ? { nonce, pooled, baseFee, balance, waiting: { knowsRecord, fees: undefined } } : null, {
      cap,
      isUnraised,
      counter,
      relayer: { id: "evm-1", address: OWN, isPaused, isDisabled: false },
    }),
  );

const idOf = (step: object) => ("id" in step ? step.id : undefined);

test("every step is at the head, and the head has the chain's next nonce", () => {
  fc.assert(
    fc.property(queues, (evidence) => {
      const { head, steps } = diagnose(evidence);
      for (const step of steps) expect([head?.record?.id, undefined]).toContain(idOf(step));
      const isFirst = head?.nonce === undefined || evidence.chain === undefined || head.nonce === evidence.chain.nonce;
      expect(isFirst).toBe(true);
    }),
  );
});

test("a transaction without a nonce is the head only if no other waits", () => {
  fc.assert(
    fc.property(queues, (evidence) => {
      const { head, waiting } = diagnose(evidence);
      const unnumbered = evidence.records.filter(
        ({ nonce, status }) => nonce === null && !["confirmed", "failed", "canceled"].includes(String(status)),
      );
      if (head && head.nonce === undefined) expect(waiting).toBe(unnumbered.length);
    }),
  );
});

test("without consent, no step gives up a payment", () => {
  fc.assert(
    fc.property(queues, (evidence) => {
      const diagnosis = diagnose(evidence);
      const step = chooseStep(diagnosis, { cancels: false, raisesCap: true });
      if (step?.action === "cancel") expect(step.discards).toBe(false);
      if (step?.action !== "replace-by-nothing") return;
      const { record } = diagnosis.head ?? {};
      expect(record?.status).toBe("pending");
      expect(record?.to === "0x12" || record?.data === "0xabc").toBe(true);
    }),
  );
});

test("nothing is sent if the relayer is paused, or if the chain was not asked", () => {
  fc.assert(
    fc.property(queues, (evidence) => {
      const step = chooseStep(diagnose(evidence), { cancels: true, raisesCap: true });
      if (evidence.relayer.isPaused || !evidence.chain) expect(["wait", undefined]).toContain(step?.action);
    }),
  );
});
