import { EARLIER, FOREIGN, ORIGINAL, PUT, record, TRANSFER } from "../../chain/verdict/records.ts";
import { printedError } from "../../helpers/exited.ts";
import { run } from "./waiting-service.ts";

const SECOND = { hash: PUT, nonce: 5 };
const OTHER = `0x${"aa".repeat(20)}`;
const TRANSACTIONS = [...EARLIER, { ...TRANSFER, block: 90 }, { ...TRANSFER, ...SECOND, block: 91 }];

test("a record that changes its nonce, and was mined with both, ends with 14 and the command that shows both", async () => {
  const { exitCode, stderr } = await run("tx wait evm-1 tx-1 -o json", {
    record: (second) => record(second < 5 ? {} : SECOND),
    chain: (second) => ({ height: 100, transactions: second < 5 ? EARLIER : TRANSACTIONS }),
  });
  expect(exitCode).toBe(14);
  const { details, hint } = printedError(stderr);
  expect(details).toMatchObject([
    { given: "earlier_version", rule: `it was mined twice: ${ORIGINAL} with nonce 4, and ${PUT} with nonce 5` },
  ]);
  expect(hint).toBe(`relayctl tx get evm-1 tx-1 --on-chain --was ${ORIGINAL}`);
});

test("a nonce that a payment to somebody else used is not called a known version by the command that shows it", async () => {
  const { exitCode, stderr } = await run("tx wait evm-1 tx-1 -o json", {
    record: () => record({ status: "failed", status_reason: "Nonce 4 consumed externally" }),
    chain: () => ({ transactions: [...EARLIER, { ...TRANSFER, hash: FOREIGN, to: OTHER, value: 1n, block: 90 }] }),
  });
  expect(exitCode).toBe(14);
  expect(printedError(stderr)).toMatchObject({
    details: [{ rule: "another transaction used its nonce, perhaps an earlier version of it" }],
    hint: "relayctl tx get evm-1 tx-1 --on-chain",
  });
});
