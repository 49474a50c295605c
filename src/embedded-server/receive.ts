import type { Receiver, RequestHead } from "../contract/webhook/receiver.ts";
import {
  type HttpServerOptions,
  type IncomingMessage,
  type ServerResponse,
  sendHttp,
  sendHttpAndClose,
  serveHttp,
} from "./http-server.ts";
import { incomingHasBody } from "./incoming.ts";
import type { TextReply } from "./reply.ts";

export type ReceiveOptions = Omit<Receiver, "isPublic"> & HttpServerOptions;

const RESPONSES = {
  "too large": { status: 413, headers: {}, text: "" },
  busy: { status: 503, headers: { "retry-after": "1" }, text: "" },
} satisfies Record<string, TextReply>;

const NOTHING = new Uint8Array();

/** Passes the raw bodies of requests to a function until the interrupt. @throws RelayctlError */
export async function receiveRequests(options: ReceiveOptions): Promise<void> {
  const { clock, lost, refuse, respond, maxBytes, maxHeld } = options;
  const reported = new WeakSet<object>();
  let held = 0;
  await serveHttp(options, {
    async serve(request, response) {
      const { method = "", url: target = "" } = request;
      const headers = textHeaders(request);
      const refused = refuse({ method, target, headers });
      if (refused) return finish(request, response, refused);
      let size = 0;
      const reserve = (more: number) => {
        size += more;
        held += more;
        return size > maxBytes ? "too large" : held > maxHeld ? "busy" : undefined;
      };
      try {
        const body = await readBody(request, response, headers, { reserve, maxBytes });
        if (typeof body !== "string")
          return finish(request, response, await respond({ method, target, headers, body }));
        if (!reported.has(request.socket)) lost(body);
        if (body !== "cut") await finish(request, response, RESPONSES[body]);
      } finally {
        held -= size;
      }
    },
    broken(why, socket) {
      if (!reported.has(socket)) lost(why);
      reported.add(socket);
    },
    dropped: () => lost("too many connections"),
  });

  function finish(request: IncomingMessage, response: ServerResponse, reply: TextReply): Promise<void> | undefined {
    if (request.complete) return void sendHttp(response, reply);
    // The rest of its body may be cut, which must not count again.
    reported.add(request.socket);
    return sendHttpAndClose(request, response, reply, clock);
  }
}

/** Returns the headers as texts. Node keeps repeated values as a list, which no sender needs. */
function textHeaders({ headers }: IncomingMessage): RequestHead["headers"] {
  const cookies = headers["set-cookie"];
  const texts = cookies ? { ...headers, "set-cookie": String(cookies) } : headers;
  return texts as RequestHead["headers"];
}

interface Room {
  /** Reserves memory, or returns why there is none. */
  reserve(more: number): keyof typeof RESPONSES | undefined;
  maxBytes: number;
}

/** Reads a request's whole body, or returns why not: `cut` if its sender left. */
function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  headers: RequestHead["headers"],
  { reserve, maxBytes }: Room,
): Promise<Uint8Array | keyof typeof RESPONSES | "cut"> {
  if (!incomingHasBody(headers)) return Promise.resolve(NOTHING);
  if (Number(headers["content-length"] ?? 0) > maxBytes) return Promise.resolve("too large");
  if (headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    const read = (chunk: Uint8Array) => {
      const why = reserve(chunk.length);
      if (why === undefined) return void chunks.push(chunk);
      request.off("data", read);
      resolve(why);
    };
    request.on("data", read);
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("error", () => {});
    request.on("close", () => resolve("cut"));
  });
}
