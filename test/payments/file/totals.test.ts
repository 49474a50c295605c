import { currencyOf } from "../../../src/contract/amount.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { messageText } from "../../../src/message.ts";
import { payerWarnings, refusePaymentsFor } from "../../../src/payments/file/file-problems.ts";
import { totalRows, totalsOf } from "../../../src/payments/file/totals.ts";
import { type Payments, paymentsOf } from "../../../src/payments/payment.ts";
import { ALICE, BOB, read } from "./reading.ts";

const ETH = currencyOf("evm", "ETH");
const FILE = `to,value,data\n${ALICE},0.5eth,\n${BOB},1wei,\n${BOB.toUpperCase().replace("0X", "0x")},0,0xd0e30db0\n`;
const rowTexts = (...money: Parameters<typeof totalRows>) => totalRows(...money).map((row) => row.map(messageText));
const SUM = 5n * 10n ** 17n + 1n;

test("the totals are exact, and equal addresses are one receiver", async () => {
  const totals = totalsOf((await read(FILE)).payments);
  expect(totals).toMatchObject({ payments: 3, sum: SUM, receivers: 2, calls: 1 });
  expect(rowTexts(totals, { coin: ETH, fees: 63n * 10n ** 13n, balance: 10n ** 18n })).toEqual([
    ["payments", "3 payments to 2 receivers, 1 call of a contract"],
    ["rows", `0.5 ETH                   ${ALICE}  row 1`],
    ["", `0.000000000000000001 ETH  ${BOB}  row 2`],
    ["", `0 ETH                     ${BOB.toUpperCase().replace("0X", "0x")}  row 3`],
    ["sum", "0.500000000000000001 ETH"],
    ["fees", "about 0.00063 ETH"],
    ["balance", "1 ETH → about 0.499369999999999999 ETH"],
  ]);
});

test("of many payments, the first three and the three largest are shown", async () => {
  const values = ["0.5eth", "1eth", "2eth", "0.3eth", "1.5eth", "4eth"];
  const { payments } = await read(`to,value\n${values.map((value) => `${ALICE},${value}\n`).join("")}`);
  const rows = rowTexts(totalsOf(payments), { coin: ETH }).slice(1, 7);
  expect(rows).toEqual([
    ["first", `0.5 ETH  ${ALICE}  row 1`],
    ["", `1 ETH    ${ALICE}  row 2`],
    ["", `2 ETH    ${ALICE}  row 3`],
    ["largest", `4 ETH    ${ALICE}  row 6`],
    ["", `2 ETH    ${ALICE}  row 3`],
    ["", `1.5 ETH  ${ALICE}  row 5`],
  ]);
});

test("a balance that covers the sum and not the fees is shown as such", async () => {
  const totals = totalsOf((await read(FILE)).payments);
  const rows = totalRows(totals, { coin: ETH, fees: 2n, balance: SUM + 1n });
  expect(rows.at(-1)).toEqual(["balance", "0.500000000000000002 ETH; not enough for the fees"]);
  expect(totalRows(totals, { coin: ETH, balance: SUM }).slice(-2)).toEqual([
    ["fees", "set by the service"],
    ["balance", "0.500000000000000001 ETH → 0 ETH, less the fees"],
  ]);
});

test("a file that its relayer cannot pay is refused with every row", async () => {
  const file = await read(FILE);
  const relayer = { id: "evm-1", policies: { whitelist_receivers: [ALICE.toUpperCase().replace("0X", "0x")] } };
  const refused = () => refusePaymentsFor(file, { relayer, coin: ETH }, SUM - 1n, "relayctl relayers get evm-1");
  expect(refused).toThrow(RelayctlError);
  try {
    refused();
  } catch (error) {
    const { details, hint, exitCode } = error as RelayctlError;
    expect(exitCode).toBe(2);
    expect(hint).toBe("relayctl relayers get evm-1");
    expect(details.map(({ where }) => where)).toEqual([
      "payouts.csv:3:1 row 2, to",
      "payouts.csv:4:1 row 3, to",
      "payouts.csv",
    ]);
    expect(details.at(-1)).toEqual({
      where: "payouts.csv",
      given: "0.500000000000000001 ETH",
      rule: "the sum is more than the balance of evm-1, 0.5 ETH",
    });
  }
  refusePaymentsFor(file, { relayer: { id: "evm-1" }, coin: ETH }, undefined, "");
});

test("a payment of nothing is a warning, unless a run only has others left", async () => {
  const { payments } = await read(`to,value\n${ALICE},0\n${BOB},1\n`);
  const warnings = (rows: Payments) => payerWarnings(rows, { id: "evm-1" }, async () => true);
  expect(await warnings(payments)).toEqual(["row 1 pays nothing: the value is 0, without data"]);
  expect(await warnings(paymentsOf(payments, new Set([2])))).toEqual([]);
});

test("payments to the relayer itself are warnings", async () => {
  const { payments } = await read(FILE);
  const warnings = (address?: string) =>
    payerWarnings(payments, { id: "evm-1", ...(address && { address }) }, async () => true);
  expect(await warnings(ALICE)).toEqual(["row 1 pays to the relayer itself"]);
  expect(await warnings(BOB)).toEqual(["2 rows pay to the relayer itself; the first is row 2"]);
  expect(await warnings()).toEqual([]);
});
