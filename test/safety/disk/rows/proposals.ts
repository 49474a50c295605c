import { configOf } from "../real-files.ts";
import type { Row } from "../row.ts";

const SEND = "tx send eth-main-1 --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast";
const row = (line: string, more: Partial<Row> = {}): Row => ({ line, files: { "config.json": configOf() }, ...more });

/** Whatever happened, the proposal is used up or can be approved: its request is sent at most once. */
const sentOnce: Row["after"] = async (life, { line, exitCode, accepted }) => {
  const again = await life.run(line);
  return [
    ...([0, 6].includes(again.exitCode) ? [] : [`again: exit ${again.exitCode}: ${again.stderr}`]),
    ...(accepted.length + again.accepted.length > 1 ? ["the request was sent twice"] : []),
    ...(exitCode === 0 && accepted.length !== 1 ? ["said to be sent, and it was not"] : []),
  ];
};

export const PROPOSAL_ROWS: readonly Row[] = [
  row(`propose --out FOLDER/pay.json -- ${SEND}`, {
    after: async (life, { line }) => {
      const { exitCode, stderr } = await life.run(line.replace("pay.json", "other.json"));
      return exitCode === 0 ? [] : [`again: exit ${exitCode}: ${stderr}`];
    },
  }),
  row("approve FOLDER/pay.json", {
    before: [`propose --out FOLDER/pay.json -- ${SEND}`],
    world: () => ({ terminal: true, stdoutTerminal: false, answers: [true] }),
    after: sentOnce,
  }),
];
