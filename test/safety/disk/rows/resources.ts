import { configOf } from "../real-files.ts";
import type { Row } from "../row.ts";

const FILES = {
  "config.json": configOf(),
  "new.key": "n".repeat(40),
  "key.txt": "5f".repeat(32),
  "params.json": '{"params":{"amount":1}}',
};
const row = (line: string, more: Partial<Row> = {}): Row => ({ line, files: FILES, ...more });

export const RESOURCE_ROWS: readonly Row[] = [
  row("notifications create --id pager --url https://hooks.example.org/pager", { again: [6, 7] }),
  row("notifications update ops-hook --url https://hooks.example.org/ops"),
  row("notifications delete audit-log --yes", { again: [5] }),
  row("notifications rotate-key ops-hook --signing-key-file FOLDER/new.key --yes"),
  row("notifications rotate-key ops-hook --generate --key-out FOLDER/generated.key --yes", {
    after: useGeneratedKey,
  }),
  row("signers create --type plain --id hot-2 --key-file FOLDER/key.txt", { again: [6, 7] }),
  row("signers create --type plain --id hot-3 --generate --key-out FOLDER/signer.key", {
    after: async (life, { line, accepted, stderr }) => {
      const { exitCode } = await life.run(line);
      const isLeft = accepted.length > 0 || stderr.includes("an incomplete file is left there; remove it");
      return (isLeft ? [2, 6, 7, 74] : [0, 2]).includes(exitCode) ? [] : [`again: exit ${exitCode}`];
    },
  }),
  row("signers delete old-key --yes", { again: [5] }),
  row("networks update evm:sepolia --rpc-url https://rpc.example.org"),
  row("plugins update rebalance --plugin-timeout 60s --emit-logs"),
  row("plugins call rebalance -f FOLDER/params.json --yes"),
  row("api PATCH /relayers/eth-main-1 -F paused=true --yes"),
];

/** Uses the key of an existing file, as the printed command says. The command says that it removes an incomplete file. */
async function useGeneratedKey(
  ...[life, { exitCode, stderr }]: Parameters<NonNullable<Row["after"]>>
): Promise<string[]> {
  const key = life.read("generated.key");
  if (exitCode === 0) return [];
  if (key !== undefined && key !== "5e".repeat(32) && !/an incomplete file is left there/.test(stderr))
    return [`the key is ${key}: ${stderr}`];
  const whole = key === "5e".repeat(32);
  const how = whole ? "--signing-key-file FOLDER/generated.key" : "--generate --key-out FOLDER/other.key";
  const next = await life.run(`notifications rotate-key ops-hook ${how} --yes`);
  return next.exitCode === 0 ? [] : [`again: exit ${next.exitCode}: ${next.stderr}`];
}
