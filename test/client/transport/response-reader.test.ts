import { request } from "node:http";
import { Duplex } from "node:stream";
import fc from "fast-check";
import { isOneResponse } from "../../../src/client/transport/reading.ts";
import { STRICT } from "../../../src/client/transport/response-head.ts";
import { ResponseReader } from "../../../src/client/transport/response-reader.ts";
import { runs } from "../../helpers/deep.ts";
import { correctResponses, inPieces, nearlyResponses } from "./hostile-bytes.ts";

describe("the reader of responses", () => {
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
});

const BODY = "content-length: 2\r\n\r\n{}";
const CHUNKS = "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";

function isOne(text: string, isClosed = false): boolean {
  return isOneResponse(Buffer.from(text, "latin1"), 400, isClosed);
}

describe("accepts exactly one response", () => {
  test.each([
    ["with a length", `HTTP/1.1 400 Bad Request\r\n${BODY}`],
    ["over HTTP/1.0", `HTTP/1.0 400 Bad Request\r\n${BODY}`],
    ["in chunks", `HTTP/1.1 400 Bad Request\r\n${CHUNKS}`],
    ["without a reason", `HTTP/1.1 400 \r\n${BODY}`],
    ["without a reason and its space", `HTTP/1.1 400\r\n${BODY}`],
    ["without a body", "HTTP/1.1 400 Words\r\nContent-Length: 0\r\n\r\n"],
    ["after early hints", `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 400 Words\r\n${BODY}`],
    ["after processing, twice", `${"HTTP/1.1 102 Processing\r\n\r\n".repeat(2)}HTTP/1.1 400 Words\r\n${BODY}`],
  ])("%s", (_, text) => expect(isOne(text)).toBe(true));

  test("that ends when the connection is closed, and not before", () => {
    const text = "HTTP/1.1 400 Words\r\nconnection: close\r\n\r\nno";
    expect(isOne(text, true)).toBe(true);
    expect(isOne(text, false)).toBe(false);
  });
});

describe("rejects data that is not exactly one response", () => {
  test.each([
    ["truncated", `HTTP/1.1 400 Words\r\ncontent-length: 3\r\n\r\n{}`],
    ["truncated chunks", "HTTP/1.1 400 Words\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"],
    ["followed by a line end", `HTTP/1.1 400 Words\r\n${BODY}\r\n`],
    ["followed by another response", `HTTP/1.1 400 Words\r\n${BODY}HTTP/1.1 200 OK\r\n${BODY}`],
    ["followed by another response after chunks", `HTTP/1.1 400 Words\r\n${CHUNKS}HTTP/1.1 200 OK\r\n${BODY}`],
    ["after switching protocols", `HTTP/1.1 101 Words\r\n\r\nHTTP/1.1 400 Words\r\n${BODY}`],
    ["after a continue", `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 Words\r\n${BODY}`],
    ["after an unknown interim response", `HTTP/1.1 104 Words\r\n\r\nHTTP/1.1 400 Words\r\n${BODY}`],
    ["after a line end", `\r\nHTTP/1.1 400 Words\r\n${BODY}`],
    ["with two lengths", `HTTP/1.1 400 Words\r\ncontent-length: 2\r\n${BODY}`],
    ["with a list of lengths", "HTTP/1.1 400 Words\r\ncontent-length: 2, 2\r\n\r\n{}"],
    ["with a signed length", "HTTP/1.1 400 Words\r\ncontent-length: +2\r\n\r\n{}"],
    ["with a length and chunks", `HTTP/1.1 400 Words\r\ncontent-length: 2\r\n${CHUNKS}`],
    ["with two codings", "HTTP/1.1 400 Words\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n"],
    ["with an unknown coding", "HTTP/1.1 400 Words\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n"],
    ["with chunks over HTTP/1.0", `HTTP/1.0 400 Words\r\n${CHUNKS}`],
    ["with a chunk extension", "HTTP/1.1 400 Words\r\ntransfer-encoding: chunked\r\n\r\n2;x\r\n{}\r\n0\r\n\r\n"],
    ["with a chunk of a bad size", "HTTP/1.1 400 Words\r\ntransfer-encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n"],
    ["with a trailer", "HTTP/1.1 400 Words\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: y\r\n\r\n"],
    ["with a folded line", `HTTP/1.1 400 Words\r\nx: a\r\n b\r\n${BODY}`],
    ["with a bare line feed", `HTTP/1.1 400 Words\nx: a\r\n${BODY}`],
    ["with a bare carriage return", `HTTP/1.1 400 Words\r\nx: a\rb: c\r\n${BODY}`],
    ["with NUL", `HTTP/1.1 400 Words\r\nx: a\0\r\n${BODY}`],
    ["with a space before the colon", "HTTP/1.1 400 Words\r\ncontent-length : 2\r\n\r\n{}"],
    ["with a line that is not a field", `HTTP/1.1 400 Words\r\nnonsense\r\n${BODY}`],
    ["with an unfinished head", "HTTP/1.1 400 Words\r\ncontent-length: 0\r\n"],
    ["with a status of two digits", `HTTP/1.1 40 Words\r\n${BODY}`],
    ["with a status of four digits", `HTTP/1.1 4000 Words\r\n${BODY}`],
    ["with two spaces before the status", `HTTP/1.1  400 Words\r\n${BODY}`],
    ["with another status", `HTTP/1.1 404 Words\r\n${BODY}`],
    ["empty", ""],
  ])("%s", (_, text) => {
    expect(isOne(text)).toBe(false);
    expect(isOne(text, true)).toBe(false);
  });

  test.each(["RTSP/1.0", "ICE/1.0", "SIP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/3", "http/1.1", "HTTP/01.1"])(
    "over %s",
    (protocol) => expect(isOne(`${protocol} 400 Words\r\n${BODY}`)).toBe(false),
  );

  test("whose body looks like another response and ends with the connection", () =>
    expect(isOne(`HTTP/1.1 400 Words\r\n\r\nHTTP/1.1 200 OK\r\n${BODY}`, true)).toBe(false));
});

test("rejects a response followed by any bytes", () => {
  fc.assert(
    fc.property(fc.constantFrom(BODY, CHUNKS), fc.uint8Array({ minLength: 1, maxLength: 40 }), (rest, more) => {
      const bytes = Buffer.concat([Buffer.from(`HTTP/1.1 400 Words\r\n${rest}`), more]);
      return !isOneResponse(bytes, 400, true) && !isOneResponse(bytes, 400, false);
    }),
    runs(150, 50_000),
  );
});
