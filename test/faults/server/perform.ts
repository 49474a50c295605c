import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Conversation, write } from "./conversation.ts";
import { editedReply } from "./reply.ts";
import type { Edit, Step } from "./script.ts";

const PIECE = 2 ** 20;
const FIELD = 16 * 2 ** 20;

/** The text again and again up to that many bytes, never more than a piece of it in memory. */
async function flood(conversation: Conversation, text: string, bytes: number): Promise<boolean> {
  const piece = Buffer.from(text.repeat(Math.ceil(Math.min(PIECE, bytes) / text.length)), "latin1");
  for (let left = bytes; left > 0; left -= piece.length) {
    if (!(await write(conversation, left < piece.length ? piece.subarray(0, left) : piece))) return false;
  }
  return true;
}

/** Members of gzip one after another: a small text that becomes that many zeros. */
async function gzipBomb(conversation: Conversation, bytes: number): Promise<boolean> {
  const field = gzipSync(Buffer.alloc(FIELD));
  for (let left = bytes; left > 0; left -= FIELD) if (!(await write(conversation, field))) return false;
  return true;
}

/** Performs the steps in turn. A script is over when the client has left and the next step needs it. */
export async function perform(steps: readonly Step[], conversation: Conversation): Promise<void> {
  for (const step of steps) if (!(await performOne(step, conversation))) return;
}

async function performOne(step: Step, conversation: Conversation): Promise<boolean> {
  const { socket, incoming, length } = conversation;
  switch (step.do) {
    case "read":
      return await incoming.arrived(step.bytes === "all" ? length : Math.min(step.bytes, length));
    case "wait":
      await conversation.happens(step.until);
      return true;
    case "apply":
      conversation.apply();
      return true;
    case "answer":
      return await answer(conversation, step.edit);
    case "send":
      return await send(conversation, step.text);
    case "flood":
      return await flood(conversation, step.text, step.bytes);
    case "drip":
      return await conversation.hang(drip(conversation, step.text, step.every));
    case "gzip bomb":
      return await gzipBomb(conversation, step.bytes);
    case "hang":
      await conversation.hang(incoming.gone);
      return false;
    case "fin":
      socket.end();
      return true;
    case "rst":
      socket.resetAndDestroy();
      return true;
  }
}

async function answer(conversation: Conversation, edit: Edit = {}): Promise<boolean> {
  const { request, socket } = conversation;
  if (!edit.unchanged) conversation.apply();
  const { reply } = conversation.considered();
  const text = `${edit.ahead ?? ""}${editedReply(reply(), edit)}${edit.behind ?? ""}`;
  const complete = edit.keep === undefined || edit.encoding === "until close";
  if (request && complete && !edit.ahead) request.answered ??= edit.status ?? reply().status;
  const sent = edit.encoding === "in pieces" ? await inPieces(conversation, text) : await write(conversation, text);
  if (edit.encoding === "until close") socket.end();
  return sent;
}

/** A scripted response counts as sent when all of its announced bytes are there. */
async function send(conversation: Conversation, text: string): Promise<boolean> {
  const found = /^HTTP\/1\.1 ([0-9]{3}) (?:.*\r\n)*?content-length: ([0-9]+)\r\n(?:.*\r\n)*?\r\n([\s\S]*)$/.exec(text);
  if (found && conversation.request && Number(found[2]) === found[3]?.length)
    conversation.request.answered ??= Number(found[1]);
  return await write(conversation, text);
}

async function inPieces(conversation: Conversation, text: string): Promise<boolean> {
  conversation.socket.setNoDelay(true);
  for (const piece of text.match(/[\s\S]{1,40}/g) ?? []) {
    if (!(await write(conversation, piece))) return false;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return true;
}

async function drip(conversation: Conversation, text: string, every: number): Promise<boolean> {
  for (let at = 0; await write(conversation, text[at % text.length] ?? ""); at++)
    await Promise.race([pause(every), conversation.incoming.gone]);
  return false;
}
