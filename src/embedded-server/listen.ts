import type { WireRequest } from "../contract/wire.ts";
import { type HttpServerOptions, type IncomingMessage, type ServerResponse, serveHttp } from "./http-server.ts";
import { hasBody, requestHead, withBody } from "./incoming.ts";
import { ClosedConnection } from "./middleware/failures.ts";
import { Refusal, serverFault } from "./refusal.ts";
import type { TextReply } from "./reply.ts";
import { send, sendAndClose } from "./send-reply.ts";
import type { EmbeddedServer } from "./server.ts";

export interface ListenOptions extends Omit<HttpServerOptions, "isPublic" | "limits"> {
  respond: EmbeddedServer;
  /** Returns whether a request may send its body. Otherwise the response follows from the head alone. */
  admits(head: WireRequest): boolean;
  /** Returns the response to a request that is refused before it reaches the server function. */
  refuse(refusal: Refusal): TextReply;
  /** Called after each request. */
  served(line: ServedLine): Promise<void>;
}

export interface ServedLine {
  method: string;
  target: string;
  status: number;
  milliseconds: number;
}

/** Serves a function on loopback until the interrupt; resolves when every socket is closed. @throws RelayctlError */
export async function listen(options: ListenOptions): Promise<void> {
  const { port, flag, clock, interrupt, listening } = options;
  await serveHttp(
    { port, flag, clock, interrupt, listening },
    {
      async serve(request, response) {
        try {
          await serveOne(request, response, options);
        } catch (error) {
          const peerLeft = request.errored !== null;
          if (peerLeft) return;
          if (error instanceof ClosedConnection) return void request.socket.destroy();
          if (!response.headersSent) send(response, options.refuse(serverFault()));
          throw error;
        }
      },
    },
  );
}

async function serveOne(request: IncomingMessage, response: ServerResponse, options: ListenOptions): Promise<void> {
  const started = options.clock.elapsed();
  // Node would add the time of the machine, which need not be that of the service.
  response.setHeader("date", new Date(options.clock.now()).toUTCString());
  const reply = await replyTo(request, response, options);
  if (reply.status === 401 || !request.complete) await sendAndClose(request, response, reply, options.clock);
  else send(response, reply);
  const milliseconds = options.clock.elapsed() - started;
  await options.served({ method: request.method ?? "", target: request.url ?? "", status: reply.status, milliseconds });
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  { respond, admits, refuse }: ListenOptions,
): Promise<TextReply> {
  try {
    const head = requestHead(request);
    if (!hasBody(head.headers) || !admits(head)) return await respond(head);
    if (head.headers.expect !== undefined) response.writeContinue();
    return await respond(await withBody(head, request));
  } catch (error) {
    if (error instanceof Refusal) return refuse(error);
    throw error;
  }
}
