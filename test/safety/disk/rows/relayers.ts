import { utimesSync } from "node:fs";
import { join } from "node:path";
import { configOf } from "../real-files.ts";
import type { Row } from "../row.ts";

const USUAL = { "config.json": configOf() };
const STRICT = { "config.json": configOf({ journal: "required" }) };
const row = (line: string, more: Partial<Row> = {}): Row => ({ line, files: USUAL, ...more });

/** Commands that change relayers, with the files that they leave. */
export const RELAYER_ROWS: readonly Row[] = [
  row("relayers pause eth-main-1 --yes"),
  row("relayers guard eth-main-1 --pause-if 'balance<100eth' --yes --deadline 2m", { ends: 13, again: [0, 13] }),
  row("relayers pause eth-main-1 --yes --undo-file FOLDER/undo.ids", {
    extends: { "undo.ids": "may be cut off" },
    again: [0, 2],
  }),
  row("relayers pause eth-main-1 --yes", {
    env: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "FOLDER/summary.txt" },
  }),
  row("relayers pause base-hot eth-main-1 polygon-bulk --yes --undo-file FOLDER/undo.ids", {
    ...{ extends: { "undo.ids": "may be cut off" }, again: [0, 2] },
  }),
  row("relayers update eth-main-1 --name treasury --yes", { files: STRICT }),
  row("relayers update base-hot eth-main-1 --policy min_balance=5 --yes --undo-file FOLDER/undo.sh", {
    ...{ extends: { "undo.sh": "may be cut off" }, again: [0, 2] },
  }),
  row("relayers resume eth-main-2"),
  row("relayers resume eth-main-2 --undo-file FOLDER/undo.ids", {
    ...{ extends: { "undo.ids": "may be cut off" }, again: [0, 2] },
  }),
  row("relayers freeze eth-main-1 --yes"),
  row("relayers freeze eth-main-1 polygon-bulk --confirm '2 relayers' --undo-file FOLDER/undo.ids", {
    ...{ extends: { "undo.ids": "may be cut off" }, again: [0, 2] },
  }),
  row("relayers create --id eth-new --name New --network sepolia --network-type evm --signer-id old-key", {
    again: [6, 7],
  }),
  row("relayers clone eth-sepolia --id eth-new --signer-id old-key", { again: [6, 7] }),
  row("relayers delete eth-sepolia --yes", { again: [5] }),
  row("relayers edit xlm-treasury --editor", { world: () => ({ terminal: true, answers: [true, true] }) }),
  row("relayers edit xlm-treasury", { world: () => ({ terminal: true, answers: [["name"], "Vault", true] }) }),
  row("relayers unstick eth-main-1 --yes", { again: [0, 6] }),
  row("relayers rpc eth-main-1 eth_sendRawTransaction 0x02 --yes", {
    respond:
      () =>
      async ({ target }, reply) =>
        target.endsWith("/rpc") ? replyOf(200, '{"jsonrpc":"2.0","id":1,"result":"0x02"}') : reply(),
  }),
  row("relayers pause --all --yes", {
    ...{ ends: 12, again: [4, 12], files: { ...USUAL, "retry/old.ids": "eth-main-1\n" } },
    before: [({ folder }) => utimesSync(join(folder, "retry/old.ids"), 0, 0)],
    seed: "fleet:150",
    respond:
      () =>
      async ({ method, target }, reply) =>
        method === "PATCH" && !target.endsWith("01")
          ? replyOf(403, '{"success":false,"data":null,"error":"forbidden"}')
          : await reply(),
  }),
];

function replyOf(status: number, text: string) {
  return { status, headers: { "content-type": "application/json" }, body: new TextEncoder().encode(text) };
}
