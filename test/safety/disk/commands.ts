import { payouts } from "../../helpers/payouts.ts";
import { isSend } from "./claims.ts";
import { configOf, type Ended, type Life } from "./real-files.ts";

/** A command that writes a file. */
export interface Writing {
  line: string;
  files?: Readonly<Record<string, string>>;
  /** The folder of its journal, below the life's. */
  journal?: string;
  /** What a user does once there is room again. Returns what was wrong then. */
  after?(life: Life, ended: Ended): Promise<string[]>;
}

const PAY =
  "tx send base-hot --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 0.01eth --gas-limit 21000 --speed fast --yes";
const MANY = "tx send-many base-hot -f FOLDER/payouts.csv --speed fast --confirm 6000000000000 -o json";
const USUAL = { "config.json": configOf() };
const STRICT = { "config.json": configOf({ journal: "required" }) };

export const WRITING: readonly Writing[] = [
  { line: "relayers pause eth-main-1 --yes", files: USUAL, after: again },
  { line: "relayers update eth-main-1 --name treasury --yes", files: STRICT, after: again },
  { line: PAY, files: STRICT },
  { line: PAY, files: USUAL },
  { line: `${PAY} --once payout-7`, files: USUAL, after: sendOnceAgain },
  { line: `${MANY} --report FOLDER/report.csv`, files: { ...USUAL, "payouts.csv": payouts(3) }, after: resume },
  {
    line: `${MANY} --state FOLDER/state --report FOLDER/report.json`,
    files: { ...USUAL, "payouts.csv": payouts(3) },
    journal: "state",
    after: resume,
  },
];

async function again(life: Life, { line }: Ended): Promise<string[]> {
  const { exitCode, stderr } = await life.run(line);
  return exitCode === 0 ? [] : [`again: exit ${exitCode}: ${stderr}`];
}

/** The first one that ends well must be of the only transaction. */
async function sendOnceAgain(life: Life): Promise<string[]> {
  const { exitCode, stderr } = await life.run(`${PAY} --once payout-7`);
  const sent = life.accepted.filter(isSend);
  if (exitCode === 11 && sent.length === 0) return [];
  return exitCode === 0 && sent.length === 1 ? [] : [`again: exit ${exitCode}, ${sent.length} sent: ${stderr}`];
}

async function resume(life: Life, ended: Ended): Promise<string[]> {
  const line = `${MANY} --report FOLDER/report.csv${ended.line.includes("--state") ? " --state FOLDER/state" : ""}`;
  let last = await life.run(line);
  if (last.exitCode === 6) last = await life.run(`${line} --resume`);
  const receivers = life.accepted.filter(isSend).map(({ request }) => String(JSON.parse(request.body ?? "{}").to));
  const twice = receivers.filter((to, index) => receivers.indexOf(to) !== index);
  const wrong = twice.map((to) => `paid twice: ${to}`);
  const isWhole = last.exitCode === 0 && receivers.length === 3;
  const isOpen = last.exitCode === 11 && receivers.length < 3;
  return isWhole || isOpen
    ? wrong
    : [...wrong, `resumed: exit ${last.exitCode}, ${receivers.length} paid: ${last.stderr}`];
}
