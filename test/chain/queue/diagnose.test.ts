import fc from "fast-check";
import { diagnoseEvidence } from "../../../src/chain/queue/diagnose.ts";
import type { QueueEvidence } from "../../../src/chain/queue/diagnosis.ts";
import { chooseStep } from "../../../src/commands/relayers/unstick/free.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { CANCELLATION, ORIGINAL, OWN, TO } from "../verdict/records.ts";
import { ago, at, LACKS, queue, UNPREPARED, UNSENT, UNSIGNED } from "./queues.ts";

const RELAYER = { id: "evm-1", address: undefined, isPaused: false, isDisabled: false };
const GWEI = 10n ** 9n;
const young = { created_at: ago(12), sent_at: ago(10) };
const MALFORMED = { ...UNSIGNED, to: "0x12" };

/** Returns what is found about the head, and the actions that help, as one line. */
function inShort(evidence: QueueEvidence): string[] {
  const { isStuck, findings, steps } = diagnoseEvidence(evidence);
  const actions = steps.map((step) => ("id" in step ? `${step.action} ${step.id}` : step.action)).join(", ");
  return [
    `${isStuck === undefined ? "not known" : isStuck ? "stuck" : "not stuck"}; ${actions || "no step"}`,
    ...findings.map(({ code, severity, nonce, message }) => `${severity} ${code} ${nonce ?? "–"}: ${message}`),
  ];
}

const TABLE: [name: string, evidence: QueueEvidence, expected: string[]][] = [
  ["nothing waits", queue([]), ["not stuck; no step"]],
  [
    "all is mined",
    queue([at(2, { status: "mined" }), at(3)], { usedBy: new Map([["tx-3", "record"]]) }),
    ["not stuck; no step"],
  ],
  [
    "records contradict the chain",
    queue([at(2), at(3)], { usedBy: new Map([["tx-3", "other"]]) }),
    [
      "not stuck; no step",
      "note used 2: the chain used its nonce, and its record still reads submitted",
      "note used 3: the chain used its nonce, its hash is not in a block, and its record still reads submitted",
    ],
  ],
  [
    "a transaction was just sent",
    queue([at(4, young)]),
    ["not stuck; wait", "note in_progress 4: it was sent 10 s ago, and its fee covers the base fee"],
  ],
  [
    "a nonce has no record",
    queue([at(5), at(6)], { waiting: undefined }),
    [
      "stuck; wait",
      "fail gap 4: no record has this nonce: the service fills the gap by itself, about 200 s after it arose",
    ],
  ],
  [
    "the record with a nonce was canceled",
    queue([at(4, { ...UNSIGNED, status: "canceled" }), at(5)], { waiting: undefined }),
    [
      "stuck; wait",
      "fail gap 4: tx-4, which had this nonce, reads canceled: the service fills the gap by itself, about 200 s after it arose",
    ],
  ],
  [
    "the node does not show yet what was just confirmed",
    queue([at(4, { status: "confirmed", confirmed_at: ago(199) }), at(5)], { waiting: undefined }),
    ["not stuck; wait", "note in_progress 4: tx-4 reads confirmed, and the node does not show its nonce as used yet"],
  ],
  [
    "the chain lost what was confirmed",
    queue([at(4, { status: "confirmed", confirmed_at: ago(201) }), at(5)], { waiting: undefined }),
    [
      "stuck; wait",
      "fail gap 4: tx-4 reads confirmed, and the node does not show its nonce as used: its block may have been removed by a reorganization",
    ],
  ],
  [
    "the node has a transaction that no record shows",
    queue([at(5)], { pooled: 5n, waiting: undefined }),
    ["stuck; wait", "fail unrecorded 4: no open record has this nonce, but a transaction with it waits at the node"],
  ],
  [
    "a receiver is malformed",
    queue([at(4, MALFORMED), at(5)]),
    [
      "stuck; replace-by-nothing tx-4",
      "fail unsignable 4: it can never be signed: its receiver is malformed: an address has 40 hex digits, this one has 2",
    ],
  ],
  [
    "data are malformed",
    queue([at(4, { ...UNSIGNED, data: "0xabc" })]),
    [
      "stuck; replace-by-nothing tx-4",
      "fail unsignable 4: it can never be signed: its data is malformed: it has an odd number of hex digits",
    ],
  ],
  [
    "a later receiver is malformed",
    queue([at(4, young), at(5, MALFORMED)]),
    [
      "stuck; wait",
      "note in_progress 4: it was sent 10 s ago, and its fee covers the base fee",
      "warn unsignable 5: it can never be signed: its receiver is malformed: an address has 40 hex digits, this one has 2",
    ],
  ],
  [
    "a later nonce has no record",
    queue([at(4, young), at(6)]),
    [
      "stuck; wait",
      "note in_progress 4: it was sent 10 s ago, and its fee covers the base fee",
      "warn gap 5: no open record has this nonce",
    ],
  ],
  [
    "it is being signed",
    queue([at(4, { ...UNSIGNED, created_at: ago(5) })]),
    ["not stuck; wait", "note in_progress 4: the service is signing it"],
  ],
  [
    "it is not signed in time",
    queue([at(4, { ...UNSIGNED, created_at: ago(90) })]),
    ["stuck; bump tx-4", "fail unsigned 4: it has had a nonce for 90 s and is not signed: its signer may have failed"],
  ],
  [
    "sent, with a fee below the base fee",
    queue([at(4, UNSENT)], { baseFee: 13n * GWEI, waiting: LACKS }),
    ["stuck; bump tx-4", "fail below_base_fee 4: the node refused it: max fee 12 gwei is below the base fee, 13 gwei"],
  ],
  [
    "sent, and the balance is too low",
    queue([at(4, UNSENT)], { balance: 1_000n, waiting: LACKS }),
    [
      "stuck; fund, cancel tx-4",
      "fail unfunded 4: the node refused it: it costs up to 0.000252000000001 ETH, and the relayer has 0.000000000000001 ETH",
    ],
  ],
  [
    "sent, and nothing prevents it",
    queue([at(4, UNSENT)], { waiting: LACKS }),
    [
      "stuck; restart-service",
      "fail worker_dead 4: the service has not sent it for 5 min, although its fee and the balance suffice: its worker has probably stopped, and only a restart of the service helps",
    ],
  ],
  ...(
    [
      ["the base fee", { baseFee: undefined }],
      ["the balance", { balance: undefined }],
      ["the base fee and the balance", { baseFee: undefined, balance: undefined }],
    ] as const
  ).map(([what, unread]): (typeof TABLE)[number] => [
    `sent, and ${what} could not be read`,
    queue([at(4, UNSENT)], { waiting: LACKS, ...unread }),
    [
      "stuck; no step",
      `fail not_broadcast 4: the service has not sent it for 5 min, and why is unknown: ${what} could not be read`,
    ],
  ]),
  [
    "it was sent, and the base fee could not be read",
    queue([at(4, young)], { baseFee: undefined }),
    ["not stuck; wait", "note in_progress 4: it was sent 10 s ago, and whether its fee covers the base fee is unknown"],
  ],
  [
    "blocks with room took higher tips",
    queue([at(4, { ...young, max_priority_fee_per_gas: "1" })], {
      passedOver: { blocks: 4, offered: 1n, took: GWEI },
    }),
    [
      "stuck; bump tx-4",
      "fail low_tip 4: it offers a tip of 0.000000001 gwei, and the last 4 blocks with room took tips from 1 gwei",
    ],
  ],
  [
    "empty blocks passed it over, and the node suggests a higher tip",
    queue([at(4, { ...young, max_priority_fee_per_gas: "1" })], {
      passedOver: { blocks: 4, offered: 1n, took: GWEI, isSuggested: true },
    }),
    [
      "stuck; bump tx-4",
      "fail low_tip 4: it offers a tip of 0.000000001 gwei, and the last 4 blocks stayed empty; the node suggests 1 gwei",
    ],
  ],
  [
    "sent, a moment ago",
    queue([at(4, { ...UNSENT, created_at: ago(30) })], { waiting: LACKS }),
    ["not stuck; wait", "note in_progress 4: the service is sending it"],
  ],
  [
    "sent, and the node has it",
    queue([at(4, UNSENT)]),
    [
      "stuck; bump tx-4",
      "fail response_lost 4: the node has it, although its record reads sent: it was sent 5 min ago with max fee 12 gwei, and is not mined",
    ],
  ],
  [
    "sent, and the node has it at too low a fee",
    queue([at(4, UNSENT)], { baseFee: 13n * GWEI }),
    ["stuck; bump tx-4", "fail underpriced 4: max fee 12 gwei is below the base fee, 13 gwei"],
  ],
  [
    "sent, and the node cannot be asked",
    queue([at(4, UNSENT)], null),
    [
      "not known; repair",
      "note not_broadcast 4: it reads sent without a time: its fee is below the base fee, or the relayer cannot pay for it, or the node has it and its response was lost; only the chain shows which",
      "fail chain_unread –: the chain could not be asked, so that only the records count",
    ],
  ],
  [
    "the base fee is above its fee",
    queue([at(4), at(5)], { baseFee: 13n * GWEI }),
    ["stuck; bump tx-4", "fail underpriced 4: max fee 12 gwei is below the base fee, 13 gwei"],
  ],
  [
    "it has waited for long",
    queue([at(4)]),
    ["stuck; bump tx-4", "fail slow 4: it was sent 5 min ago with max fee 12 gwei, and is not mined"],
  ],
  [
    "the node dropped it",
    queue([at(4)], { waiting: LACKS }),
    ["stuck; bump tx-4", "fail dropped 4: it was sent 5 min ago, and the node does not have it anymore"],
  ],
  [
    "the cap keeps a bump from being sent",
    queue([at(4)], {}, { cap: 13n * GWEI }),
    [
      "stuck; raise-cap tx-4, cancel tx-4",
      "fail slow 4: it was sent 5 min ago with max fee 12 gwei, and is not mined",
      "fail cap 4: a bump would be accepted and never broadcast: gas_price_cap is 13 gwei, and 27.287670795 gwei is needed",
    ],
  ],
  [
    "the cap kept a replacement from being sent",
    queue(
      [at(4)],
      { waiting: { knowsRecord: false, fees: { max_fee_per_gas: 11n * GWEI, max_priority_fee_per_gas: GWEI } } },
      { cap: 13n * GWEI },
    ),
    [
      "stuck; raise-cap tx-4, cancel tx-4",
      `fail never_broadcast 4: the node does not know 0x${"a".repeat(64)}: the version that the record shows was not broadcast, and an earlier one waits at 11 gwei`,
      "fail cap 4: a bump would be accepted and never broadcast: gas_price_cap is 13 gwei, and 27.287670795 gwei is needed",
    ],
  ],
  [
    "a cap, on a network that the service does not describe",
    queue([at(4)], {}, { cap: 13n * GWEI, isUndescribed: true }),
    [
      "stuck; bump tx-4, raise-cap tx-4, cancel tx-4",
      "fail slow 4: it was sent 5 min ago with max fee 12 gwei, and is not mined",
      "warn cap 4: a bump would be accepted and never broadcast: gas_price_cap is 13 gwei, and 27.287670795 gwei is needed",
    ],
  ],
  [
    "the network raises no price",
    queue(
      [at(4, { max_fee_per_gas: "50000000000", max_priority_fee_per_gas: "2000000000" })],
      {},
      { isUnraised: true },
    ),
    [
      "stuck; wait-for-market",
      "fail slow 4: it was sent 5 min ago with max fee 50 gwei, and is not mined",
      "fail market 4: on this network the service raises no price, so a node refuses a bump until both fees of the market have risen by 10%",
    ],
  ],
  [
    "the balance does not cover a bump",
    queue([at(4)], { balance: 300_000n * GWEI }),
    [
      "stuck; fund",
      "fail slow 4: it was sent 5 min ago with max fee 12 gwei, and is not mined",
      "fail balance 4: the balance does not cover a bump: 0.000273041086696 ETH is missing",
    ],
  ],
  [
    "its record has data and no gas limit",
    queue([at(4, { data: "0xabcd", gas_limit: null })]),
    [
      "stuck; cancel tx-4",
      "fail slow 4: it was sent 5 min ago with max fee 12 gwei, and is not mined",
      "fail no_gas_limit 4: its record has data and no gas limit: a bump would be signed with 21000 gas, and fail",
    ],
  ],
  [
    "a cancellation waits",
    queue([at(4, { ...CANCELLATION })], { baseFee: 13n * GWEI }, { cap: GWEI }),
    [
      "stuck; bump tx-4",
      "fail underpriced 4: its cancellation's max fee 12 gwei is below the base fee, 13 gwei",
      "note canceling 4: its cancellation is what waits, and what a bump speeds up",
    ],
  ],
  [
    "two records have the nonce",
    queue([at(4, { id: "tx-old", ...MALFORMED, created_at: ago(400) }), at(4, young)]),
    [
      "not stuck; wait",
      "note in_progress 4: it was sent 10 s ago, and its fee covers the base fee",
      "note shared_nonce 4: another record has the same nonce: only one of them can be mined",
    ],
  ],
  [
    "the chain used more nonces than the relayer assigned",
    queue([], { nonce: 9n }, { counter: 7n }),
    [
      "not stuck; no step",
      "warn counter_behind 7: the chain used nonces up to 8, and the relayer assigns 7 next: its next transactions will be refused",
    ],
  ],
  [
    "the relayer is disabled, and prepares nothing",
    queue([at(null, UNPREPARED)], {}, { relayer: { ...RELAYER, isDisabled: true } }),
    [
      "stuck; repair",
      "fail not_prepared –: it has waited for a nonce for 5 min: the relayer is disabled",
      "fail disabled –: the relayer is disabled, and refuses replacements and cancellations",
    ],
  ],
  [
    "the node is dead, and nothing is prepared",
    queue([at(null, UNPREPARED)], null),
    [
      "stuck; repair",
      "fail not_prepared –: it has waited for a nonce for 5 min: the relayer's node cannot be reached, and it is prepared about 10 s after the node is back",
      "fail chain_unread –: the chain could not be asked, so that only the records count",
    ],
  ],
  [
    "the worker that prepares has stopped, or the service's queue lost it",
    queue([at(null, UNPREPARED)]),
    [
      "stuck; restart-service, cancel tx-new",
      "fail not_prepared –: it has waited for a nonce for 5 min: the worker that prepares transactions may have stopped until the service is restarted, or this one was lost with the service's queue, and only a cancellation ends it",
    ],
  ],
  [
    "it is being prepared",
    queue([at(null, { ...UNPREPARED, created_at: ago(3) })]),
    ["not stuck; wait", "note in_progress –: the service is preparing it"],
  ],
  [
    "the relayer is paused",
    queue([at(4)], {}, { relayer: { ...RELAYER, isPaused: true } }),
    [
      "stuck; resume",
      "fail slow 4: it was sent 5 min ago with max fee 12 gwei, and is not mined",
      "fail paused –: the relayer is paused, and refuses replacements and cancellations",
    ],
  ],
  [
    "only the records can be read",
    queue([at(4), at(5, MALFORMED)], null),
    [
      "stuck; repair",
      "note in_progress 4: it was sent 5 min ago by its record",
      "fail chain_unread –: the chain could not be asked, so that only the records count",
      "warn unsignable 5: it can never be signed: its receiver is malformed: an address has 40 hex digits, this one has 2",
    ],
  ],
];

test.each(TABLE)("what holds up the transactions of a relayer: %s", (_, evidence, expected) => {
  expect(inShort(evidence)).toEqual(expected);
});

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
      const { head, steps } = diagnoseEvidence(evidence);
      for (const step of steps) expect([head?.record?.id, undefined]).toContain(idOf(step));
      const isFirst = head?.nonce === undefined || evidence.chain === undefined || head.nonce === evidence.chain.nonce;
      expect(isFirst).toBe(true);
    }),
  );
});

test("a transaction without a nonce is the head only if no other waits", () => {
  fc.assert(
    fc.property(queues, (evidence) => {
      const { head, waiting } = diagnoseEvidence(evidence);
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
      const diagnosis = diagnoseEvidence(evidence);
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
      const step = chooseStep(diagnoseEvidence(evidence), { cancels: true, raisesCap: true });
      if (evidence.relayer.isPaused || !evidence.chain) expect(["wait", undefined]).toContain(step?.action);
    }),
  );
});
