import { request } from "node:http";
import { Duplex } from "node:stream";
import { STRICT } from "../../../src/client/transport/response-head.ts";

/** A response as a reader understood it. */
export interface Understood {
  status: number;
  headers: Record<string, string[] | undefined>;
  body: string;
}

/** Has `node:http` read bytes that arrive in these pieces: a response, `refused`, or `waiting` for more bytes. */
export async function readByNode(
  pieces: readonly Buffer[],
  isClosed: boolean,
): Promise<Understood | "refused" | "waiting"> {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  let result: Understood | "refused" | undefined;
  const refuse = () => {
    result ??= "refused";
  };
  const outgoing = request({ ...STRICT, createConnection: () => socket, host: "localhost" });
  outgoing.on("error", refuse).on("upgrade", refuse);
  outgoing.on("response", (incoming) => {
    let body = "";
    incoming.on("error", refuse);
    incoming.on("data", (chunk: Buffer) => {
      body += chunk.toString("latin1");
    });
    incoming.on("end", () => {
      result ??= { status: incoming.statusCode ?? 0, headers: { ...incoming.headersDistinct }, body };
    });
  });
  outgoing.end();
  await turn();
  for (const piece of pieces) {
    socket.push(piece);
    await turn();
  }
  if (isClosed) socket.push(null);
  await turn();
  outgoing.destroy();
  socket.destroy();
  return result ?? "waiting";
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
