import { type HttpServerOptions, type IncomingMessage, type ServerResponse, serveHttp } from "./http-server.ts";
import { hasBody } from "./incoming.ts";
import type { TextReply } from "./reply.ts";
import { send, sendAndClose } from "./send-reply.ts";

/** The head of a request, whatever it asks for. */
export interface RawHead {
  method: string;
  /** Path and query. */
  target: string;
  /** Names in lowercase. */
  headers: Readonly<Record<string, string>>;
}

export interface RawRequest extends RawHead {
  /** The body, byte for byte. */
  body: Uint8Array;
}

/** Why no whole request arrived. */
export type LostRequest = keyof typeof RESPONSES | "cut" | "malformed" | "slow" | "too many connections";

export interface ReceiveOptions extends HttpServerOptions {
  /** The largest body, in bytes. */
  maxBytes: number;
  /** The bytes of all bodies that are held at a time: a request above that is refused with 503. */
  maxHeld: number;
  /** Returns the response to a request that is refused by its head; undefined if its body is read. */
  refuse(head: RawHead): TextReply | undefined;
  respond(request: RawRequest): Promise<TextReply>;
  /** Called for each request of which no whole body was read, and for each connection without a valid request. */
  lost(why: LostRequest): void;
}

/** The responses to requests whose body is not read to its end. */
const RESPONSES = {
  "too large": { status: 413, headers: {}, text: "" },
  busy: { status: 503, headers: { "retry-after": "1" }, text: "" },
} satisfies Record<string, TextReply>;

const NOTHING = new Uint8Array();

/**
 * Serves a function that gets the raw bodies of requests, until the interrupt. A request that is too large, too slow, or
 * malformed never reaches the function.
 * @throws RelayctlError if the port is not available
 */
export async function receive(options: ReceiveOptions): Promise<void> {
  const { clock, lost, refuse, respond, maxBytes, maxHeld } = options;
  const reported = new WeakSet<object>();
  let held = 0;
  await serveHttp(options, {
    async serve(request, response) {
      const head = headOf(request);
      const refused = refuse(head);
      if (refused) return await finish(request, response, refused);
      let size = 0;
      const reserve = (more: number) => {
        size += more;
        held += more;
        return size > maxBytes ? "too large" : held > maxHeld ? "busy" : undefined;
      };
      try {
        const body = await bodyOf(request, response, head, { reserve, maxBytes });
        if (body instanceof Uint8Array) return await finish(request, response, await respond({ ...head, body }));
        if (body !== "cut" || !reported.has(request.socket)) lost(body);
        if (body !== "cut") await finish(request, response, RESPONSES[body]);
      } finally {
        held -= size;
      }
    },
    broken(why, socket) {
      reported.add(socket);
      lost(why);
    },
    dropped: () => lost("too many connections"),
  });

  async function finish(request: IncomingMessage, response: ServerResponse, reply: TextReply): Promise<void> {
    if (request.complete) send(response, reply);
    else await sendAndClose(request, response, reply, clock);
  }
}

function headOf({ method = "", url = "", headers }: IncomingMessage): RawHead {
  const texts: Record<string, string> = {};
  for (const name in headers) texts[name] = String(headers[name]);
  return { method, target: url, headers: texts };
}

interface Room {
  /** Takes room for more bytes, and returns why there is none. */
  reserve(more: number): keyof typeof RESPONSES | undefined;
  maxBytes: number;
}

/** Reads the whole body of a request, or says why it is not read: `cut` if its sender left. */
function bodyOf(
  request: IncomingMessage,
  response: ServerResponse,
  { headers }: RawHead,
  { reserve, maxBytes }: Room,
): Promise<Uint8Array | keyof typeof RESPONSES | "cut"> {
  if (!hasBody(headers)) return Promise.resolve(NOTHING);
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
    request.on("error", () => resolve("cut"));
    request.on("close", () => resolve("cut"));
  });
}
