import type { Receiver, ReceiverReply, RequestHead } from "../../../src/contract/webhook/receiver.ts";
import { webhookSignature } from "../../../src/contract/webhook/signature.ts";
import { cli, type World } from "../../helpers/cli.ts";

export const OLD = "old".repeat(12);
export const NEW = "new".repeat(12);
export const FILES = { "old.key": `${OLD}\n`, "new.key": NEW, "short.key": "short", "empty.key": "\n" };
export const PORT = 8787;

/** What a script may do to the receiver. */
export interface Sender {
  receiver: Receiver;
  /** Delivers a body, as bytes or as the JSON of a value. */
  send(body: unknown, headers?: Record<string, string>, head?: Partial<RequestHead>): Promise<ReceiverReply>;
  interrupt(reason?: string): void;
}

/** Runs `webhooks listen` with deliveries from a script instead of sockets, and returns the responses too. */
export async function listening(line: string, script: (sender: Sender) => Promise<unknown>, world: World = {}) {
  const interrupt = new AbortController();
  const replies: ReceiverReply[] = [];
  const receive = async (receiver: Receiver) => {
    await receiver.listening(receiver.port === 0 ? PORT : receiver.port);
    const send: Sender["send"] = async (body, headers = {}, head = {}) => {
      const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(textOf(body));
      const request = {
        method: "POST",
        target: "/hook",
        headers: { "content-type": "application/json", ...headers },
        ...head,
      };
      const reply = receiver.refuse(request) ?? (await receiver.respond({ ...request, body: bytes }));
      replies.push(reply);
      return reply;
    };
    await script({ receiver, send, interrupt: (reason = "interrupted") => interrupt.abort(reason) });
  };
  const ran = await cli(`webhooks listen ${line}`, {
    env: {},
    files: FILES,
    interrupt: interrupt.signal,
    receive,
    ...world,
  });
  return { ...ran, replies, statuses: replies.map(({ status }) => status) };
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

export function signed(body: unknown, key = NEW): Record<string, string> {
  return { "x-signature": webhookSignature(key, textOf(body)) };
}

/** A delivery about a transaction. */
export function update(id: string, payload: object = {}, second = 0) {
  const timestamp = `2026-11-21T03:12:${String(second).padStart(2, "0")}.000000001+00:00`;
  const transaction = { id: "83620d65-864d-4d12-bc0b-d5ff2aaceab2", relayer_id: "eth-main-1", status: "submitted" };
  return {
    id,
    event: "transaction_update",
    payload: { payload_type: "transaction", ...transaction, ...payload },
    timestamp,
  };
}
