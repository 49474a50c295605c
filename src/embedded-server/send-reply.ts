import type { IncomingMessage, ServerResponse } from "./http-server.ts";
import type { TextReply } from "./reply.ts";
import type { ServerClock } from "./world.ts";

/** Milliseconds for which further data is read and dropped: a client cut off at once loses the response. */
const LINGER = 200;

/** Sends the whole response before dropping what the client still sends, and closes the connection. */
export async function sendAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text }: TextReply,
  clock: ServerClock,
): Promise<void> {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text), connection: "close" });
  response.flushHeaders();
  response.write(text);
  if (!request.complete) {
    const ended = new AbortController();
    const end = () => ended.abort();
    request.once("end", end).once("close", end).resume();
    await clock.sleep(LINGER, ended.signal);
  }
  response.end();
}

/** Sends a response. ASCII text, by far the most common, is sent as Latin-1 in a third of the time. */
export function send(response: ServerResponse, { status, headers, text }: TextReply): void {
  const size = Buffer.byteLength(text);
  response
    .writeHead(status, { ...headers, "content-length": size })
    .end(text, size === text.length ? "latin1" : "utf8");
}
