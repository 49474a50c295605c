import { cli, type World } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { demoStore } from "../helpers/seed-state.ts";

const STUCK = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const TO = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const PAYOUTS = ["0.0009eth", "3gwei", "1wei", "0.01eth"].map((value) => `${TO},${value}`);
const FILES = { "pay.csv": ["to,value", ...PAYOUTS].join("\n") };

/** Every screen for people that shows amounts, of the demo with values from 1 wei to 1.5 ETH. */
const SCREENS: readonly (readonly [line: string, ...answers: (boolean | string)[]])[] = [
  ["relayers list"],
  ["relayers get eth-main-1"],
  ["relayers get xlm-pay"],
  ["relayers get sol-pay"],
  ["relayers balance eth-main-1 base-hot sol-pay xlm-pay"],
  ["relayers status"],
  ["relayers status base-hot"],
  ["relayers status --fields relayer.id,spend_1d,status.balance"],
  ["relayers unstick eth-main-1 --dry-run"],
  ["relayers freeze base-hot --dry-run"],
  ["relayers update eth-main-1 --policy gas_price_cap=120gwei --policy min_balance=3gwei", "eth-main-1", true],
  ["tx list"],
  ["tx list base-hot"],
  ["tx list sol-pay"],
  ["tx list xlm-treasury"],
  [`tx get eth-main-1 ${STUCK}`],
  [`tx get eth-main-1 ${STUCK} --on-chain`],
  ["tx stuck"],
  ["tx stuck eth-main-1"],
  [`tx bump eth-main-1 ${STUCK}`, true],
  [`tx bump eth-main-1 ${STUCK} --dry-run`],
  [`tx cancel eth-main-1 ${STUCK}`, true],
  [`tx replace eth-main-1 ${STUCK} --inherit --value 0.0009eth --speed fastest`, true],
  [`tx send base-hot --to ${TO} --value 3gwei --speed fast --wait`, true],
  [`tx send base-hot --to ${TO} --value 1wei --speed fast`, true],
  [`tx send base-hot --to ${TO} --value 0.0009eth --max-fee-per-gas 30.25gwei --max-priority-fee-per-gas 1wei`, true],
  ["tx send-many base-hot -f pay.csv --speed fast --wait", "0.010900003000000001eth"],
  ["topup --from base-hot --to-balance 0.5eth --below 0.2eth --dry-run"],
  ["audit base-hot"],
  ["spend"],
  ["spend --by day"],
  ["doctor"],
  ["doctor --notes"],
  ["history list"],
  ["history costs"],
  ["find base-hot"],
];

/** The words of a price per gas. */
const PRICE =
  /\b(?:base fee|max fee|fee|tip|prices?|cap|pays?|sent at|quotes?|took?|takes?|at least|bump(?:ed)?)\b|gas_price|per gas|× [0-9]|\bon its way as 0x\w+ at/i;
/** What an amount in wei may stand next to: itself in another unit. */
const SAME = /(?: = |\()$/;

/** Returns what contradicts the rule of units: values, fees, and balances are in the coin, prices per gas in gwei. */
function listWrongUnits(screen: string): string[] {
  const text = screen.replaceAll(/\u001b\[[0-9;]*m/g, "");
  const prices = / FEE /.test(text) ? /gwei/ : PRICE;
  return text.split("\n").flatMap((line) =>
    [...line.matchAll(/[0-9][0-9.,]* ?(?:gwei|wei)\b/g)].flatMap(({ 0: found, index }) => {
      // The default of a minimum is written as in the help.
      const isFine = found.endsWith("gwei") ? prices.test(line) : /\b1 wei \(default\)|min_balance is 1 wei/.test(line);
      return isFine || SAME.test(line.slice(0, index)) ? [] : [line];
    }),
  );
}

function listUnrounded(screen: string): string[] {
  const suggested = [...screen.matchAll(/--(?:max-|gas-|policy gas_)\S+[ =](\S+wei)/g)].map(([, price = ""]) => price);
  return suggested.filter((price) => !/^(?:0\.[0-9]+|[0-9]+(?:\.[0-9])?)gwei$|^[0-9]{1,9}wei$/.test(price));
}

test.each(sampled(SCREENS, 6).map(([line, ...answers]) => ({ line, answers })))(
  "$line shows each amount in its unit",
  async ({ line, answers }) => {
    const journal = memoryJournal();
    const store = demoStore();
    const world: World = { store, journal, files: FILES, columns: 160 };
    const inDemo = (words: string) => `${words} --demo --color never`;
    // The IDs of a test start over with each command.
    for (const value of line.startsWith("tx send") ? [] : ["0.000000003eth", "0.0009eth", "1wei"])
      await cli(inDemo(`tx send base-hot --to ${TO} --value ${value} --speed fast --yes --wait`), world);
    const { stdout, stderr, exitCode } = await cli(inDemo(line), { ...world, terminal: true, answers });
    expect([0, 12, 13], stderr).toContain(exitCode);
    expect(listWrongUnits(`${stdout}\n${stderr}`)).toEqual([]);
    expect(listUnrounded(`${stdout}\n${stderr}`.replace(line, ""))).toEqual([]);
  },
);
