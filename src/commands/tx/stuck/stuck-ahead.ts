import { provesSlotNonce, slotNonce } from "../../../chain/queue/slots.ts";
import { stuckInQueue } from "../../../chain/queue/stuck-transactions.ts";
import { stuckWaitingText, usedNonceWords } from "../../../chain/queue/stuck-words.ts";
import type { Client } from "../../../client/client.ts";
import { collectItems } from "../../../client/pagination/collect.ts";
import { ageText } from "../../../contract/age-text.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { knownTime } from "../../../contract/reply/received-time.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { isPending, PENDING_STATUSES, type Transaction, txStatus } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Message } from "../../../message.ts";
import { collectByStatus } from "../../../session/collect.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { type BlockLine, viewLines } from "../../../terminal/view.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";

/** Returns no lines if the read takes long. */
export async function stuckAheadLines(session: Session, relayer: Relayer): Promise<Message[]> {
  if (relayer.network_type !== "evm") return [];
  const found = await diagnoseBriefly(session, relayer.id, readPendingAhead);
  if (found?.diagnosis.isStuck !== true) return [];
  const { head, waiting, findings } = found.diagnosis;
  const sent = knownTime(head?.record?.sent_at ?? head?.record?.created_at);
  const since = sent === undefined ? "" : ` for ${ageText(found.evidence.now - sent)}`;
  const many = waiting === 1 ? "1 transaction waits" : `${groupDigits(waiting)} transactions wait`;
  return [
    {
      warning: `its queue is stuck: ${many} ahead, nonce ${head?.nonce ?? "unknown"}${since}: ${findings[0]?.message ?? ""}`,
    },
    `  free it first: ${found.free}`,
  ];
}

/** Returns lines below a pending transaction on a terminal: why it is not mined, and the command that helps. */
export async function pendingLines(call: Call, relayerId: string, record: Transaction): Promise<BlockLine[]> {
  const { app, output } = call;
  if (!app.stdout.isTerminal || !["table", undefined].includes(output.format)) return [];
  if (!isPending(record) || slotNonce(record) === undefined) return [];
  const session = await call.session();
  const found = await diagnoseBriefly(session, relayerId, readAll);
  if (!found) return [];
  const rows = stuckInQueue({ relayer: { id: relayerId }, older: 0 }, found, found.next);
  const row = rows.find(({ id }) => id === record.id);
  if (!row) {
    const used = found.diagnosis.findings.find(({ code, id }) => code === "used" && id === record.id);
    const next = commandLine(...session.flags, "tx", "get", relayerId, record.id, "--on-chain");
    return used
      ? [...whyLines(usedNonceWords(used.nonce, txStatus(record))), ...viewLines("next", [{ text: next }])]
      : [];
  }
  const behind = row.blocks > 0 ? `; ${stuckWaitingText(BigInt(row.blocks))}` : "";
  const head = row.waits_for === null ? undefined : found.diagnosis.findings[0]?.message;
  const why = `${row.why}${behind}${head === undefined ? "" : `: ${head}`}`;
  return [...whyLines(why), ...viewLines("next", found.next === null ? [] : [{ text: found.next }])];
}

function whyLines(text: string): BlockLine[] {
  return viewLines("why", [{ text, tone: "warn" }]);
}

async function diagnoseBriefly(session: Session, relayerId: string, read: typeof readAll) {
  const client = session.briefly(COIN_TIMEOUT);
  try {
    const records = await read(client, relayerId);
    if (!records.some(isPending)) return undefined;
    const { diagnoseStuckRelayer, stuckFreeingCommand, stuckNextCommand } = await import("./list-stuck.ts");
    const source = { session: { ...session, client }, relayerId, now: session.clock.now() };
    const found = await diagnoseStuckRelayer(source, async (isWanted) => records.filter(isWanted));
    const place = { id: relayerId, flags: session.flags };
    return {
      ...found,
      next: stuckNextCommand(found.diagnosis, place),
      free: stuckFreeingCommand(found.diagnosis, place),
    };
  } catch (error) {
    if (!(error instanceof RelayctlError) || session.interrupt.aborted) throw error;
    return undefined;
  }
}

/** Reads only the lists of pending states, which are short. */
export async function readPendingAhead(client: Pick<Client, "tx">, relayerId: string): Promise<Transaction[]> {
  return await collectByStatus(client, relayerId, PENDING_STATUSES);
}

/** Reads the whole list, whose mined transactions prove which nonces are used. */
async function readAll(client: Pick<Client, "tx">, relayerId: string): Promise<Transaction[]> {
  return (
    await collectItems<Transaction>(client.tx.list(relayerId), (each) => isPending(each) || provesSlotNonce(each))
  ).reverse();
}
