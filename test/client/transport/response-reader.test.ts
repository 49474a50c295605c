import { request } from "node:http";
import { Duplex } from "node:stream";
import fc from "fast-check";
import { STRICT } from "../../../src/client/transport/response-head.ts";
import { ResponseReader } from "../../../src/client/transport/response-reader.ts";
import { runs } from "../../helpers/deep.ts";
import { correctResponses, inPieces, nearlyResponses } from "./hostile-bytes.ts";

/** A response as a reader understood it. */
interface Understood {
  status: number;
  headers: Record<string, string[] | undefined>;
  body: string;
}

/** Has `node:http` read bytes that arrive in these pieces: a response, `refused`, or `waiting` for more bytes. */
async function readByNode(pieces: readonly Buffer[], isClosed: boolean): Promise<Understood | "refused" | "waiting"> {
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

interface Read {
  result: Understood | "refused" | "waiting";
  /** How many pieces were read until then. */
  count: number;
}

/** Reads pieces as a connection does: nothing after the piece with the end of the response. */
function read(pieces: readonly Buffer[], isClosed: boolean): Read {
  const understood: Understood = { status: 0, headers: {}, body: "" };
  let isComplete = false;
  const reader = new ResponseReader({
    head: (status, headers) => Object.assign(understood, { status, headers: { ...headers } }),
    data(chunk) {
      understood.body += chunk.toString("latin1");
    },
    end() {
      isComplete = true;
    },
  });
  let count = 0;
  try {
    for (const piece of pieces) {
      count++;
      reader.take(piece);
      if (isComplete) return { result: understood, count };
    }
    if (isClosed) reader.close();
  } catch {
    return { result: "refused", count };
  }
  return { result: isComplete ? understood : "waiting", count };
}

test("accepts nothing that node:http rejects, and understands what it accepts in the same way", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(nearlyResponses, fc.boolean(), async (pieces, isClosed) => {
      const { result, count } = read(pieces, isClosed);
      if (typeof result === "string") return;
      accepted++;
      expect(await readByNode(pieces.slice(0, count), isClosed && count === pieces.length)).toEqual(result);
    }),
    runs(500, 1_000_000),
  );
  expect(accepted).toBeGreaterThan(50);
});

test("accepts every correct response, in whatever pieces it arrives", () =>
  fc.assert(
    fc.asyncProperty(correctResponses, async (pieces) => {
      const { result, count } = read(pieces, false);
      expect(result).toMatchObject({ status: expect.any(Number) });
      expect(await readByNode(pieces.slice(0, count), false)).toEqual(result);
    }),
    runs(25, 200_000),
  ));

test.each([
  ["a length", "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\n[1,2]"],
  [
    "chunks",
    "HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\n{}\r\n0\r\nx: y\r\n\r\n",
  ],
  ["neither", "HTTP/1.1 200 OK\r\nx: y\r\n\r\nrest"],
])("waits for the rest of a response with %s at every byte, and rejects it if none comes", async (_, text) => {
  for (let end = 0; end < text.length; end++) {
    for (const isClosed of [false, true]) {
      const pieces = inPieces(text.slice(0, end), []);
      const { result } = read(pieces, isClosed);
      expect(result).toEqual(await readByNode(pieces, isClosed));
    }
  }
});
