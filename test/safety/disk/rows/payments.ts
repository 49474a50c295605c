import { payouts } from "../../../helpers/payouts.ts";
import { isSend } from "../claims.ts";
import { configOf, type Ended, type Life } from "../real-files.ts";
import type { Row } from "../row.ts";

const USUAL = { "config.json": configOf() };
const STRICT = { "config.json": configOf({ journal: "required" }) };
const MANY_FILES = { ...USUAL, "payouts.csv": payouts(3) };
const PAY =
  "tx send base-hot --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 0.01eth --gas-limit 21000 --speed fast --yes";
const MANY = "tx send-many base-hot -f FOLDER/payouts.csv --speed fast --confirm 6000000000000 -o json";
const OPS = "0x52908400098527886e0f7030069857d2e4169ee7";
const TOP_UP =
  "topup @ops @more --from base-hot --to-balance 0.01eth --below 0.01eth --yes --max-total 0.02eth --speed fast -o json";
const LABELED = {
  "config.json": JSON.stringify({
    ...JSON.parse(configOf()),
    labels: { evm: { ops: OPS, more: "0x8617e340b3d01fa5f11f306f4090fd50e238070d" } },
  }),
};
const NOTHING = async () => [];

/** Commands that pay. What was paid without a key is paid again if it is typed again. */
export const PAYMENT_ROWS: readonly Row[] = [
  { line: PAY, files: STRICT, after: NOTHING },
  { line: PAY, files: USUAL, after: NOTHING },
  { line: `${PAY} --once payout-7`, files: USUAL, after: sendOnceAgain },
  { line: `${PAY} --once payout-7 --state FOLDER/state`, files: USUAL, journal: "state", after: sendOnceAgain },
  { line: `${MANY} --report FOLDER/report.csv`, files: MANY_FILES, after: resume },
  {
    line: `${MANY} --state FOLDER/state --report FOLDER/report.json`,
    files: MANY_FILES,
    journal: "state",
    after: resume,
  },
  { line: TOP_UP, files: LABELED, after: topUpAgain },
  { line: `${TOP_UP} --state FOLDER/state`, files: LABELED, journal: "state", after: topUpAgain },
];

/** Nobody is topped up twice, and everybody was or is, unless a response is missing. */
async function topUpAgain(life: Life, ended: Ended): Promise<string[]> {
  const { exitCode, stderr } = await life.run(ended.line);
  const receivers = life.accepted.filter(isSend).map(({ request }) => String(JSON.parse(request.body ?? "{}").to));
  const isWhole = exitCode === 0 && new Set(receivers).size <= 2;
  const twice = receivers.filter((to, index) => receivers.indexOf(to) !== index);
  return [
    ...twice.map((to) => `topped up twice: ${to}`),
    ...(isWhole ? [] : [`again: exit ${exitCode}, ${receivers.length} sent: ${stderr}`]),
  ];
}

/** The first run that succeeds must have the only transaction. */
async function sendOnceAgain(life: Life, ended: Ended): Promise<string[]> {
  const { exitCode, stderr } = await life.run(ended.line);
  const sent = life.accepted.filter(isSend);
  if (exitCode === 11 && sent.length === 0) return [];
  return exitCode === 0 && sent.length === 1 ? [] : [`again: exit ${exitCode}, ${sent.length} sent: ${stderr}`];
}

async function resume(life: Life, ended: Ended): Promise<string[]> {
  let last = await life.run(ended.line);
  if (last.exitCode === 6) last = await life.run(`${ended.line} --resume`);
  const receivers = life.accepted.filter(isSend).map(({ request }) => String(JSON.parse(request.body ?? "{}").to));
  const twice = receivers.filter((to, index) => receivers.indexOf(to) !== index);
  const wrong = twice.map((to) => `paid twice: ${to}`);
  const isWhole = last.exitCode === 0 && receivers.length === 3;
  const isOpen = last.exitCode === 11 && receivers.length < 3;
  return isWhole || isOpen
    ? wrong
    : [...wrong, `resumed: exit ${last.exitCode}, ${receivers.length} paid: ${last.stderr}`];
}
