import fc from "fast-check";
import { isOneResponse } from "../../../src/client/transport/reading.ts";
import { runs } from "../../helpers/deep.ts";

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
