import fc from "fast-check";
import { expect, test } from "vitest";
import { plainResponse } from "../../../src/client/transport/plain-response.ts";
import { createResponseReader } from "../../../src/client/transport/response-reader.ts";
import { correctResponses, nearlyResponses } from "./hostile-bytes.ts";

/** Reads the same bytes in pieces of any kind; undefined if they are not exactly one response that leaves the connection open. */
function readInPieces(bytes: Buffer) {
  const found = { status: 0, headers: {}, body: "" };
  let isOpen = false;
  const reader = createResponseReader({
    head: (status, headers) => Object.assign(found, { status, headers: { ...headers } }),
    data(chunk) {
      found.body += chunk.toString("latin1");
    },
    end(isLast) {
      isOpen = !isLast;
    },
  });
  reader.take(bytes);
  return isOpen ? found : undefined;
}

function alone(headers: object): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value as string]]));
}

test("reads a response in one piece as it is read in several, and nothing that may be more or less than one", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(nearlyResponses, correctResponses), (pieces) => {
      const bytes = Buffer.concat(pieces);
      const plain = plainResponse(bytes);
      if (!plain) return;
      accepted++;
      const { status, headers, body } = plain;
      expect({ status, headers: alone(headers), body: body.toString("latin1") }).toEqual(readInPieces(bytes));
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test.each([
  ["no length", "HTTP/1.1 200 OK\r\n\r\n{}"],
  ["the beginning of another response", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}H"],
  ["a missing byte", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}"],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}"],
  ["chunks", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}"],
  ["the last response", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"],
  ["an older version", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}"],
  ["a status without a body", "HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}"],
  ["early hints", "HTTP/1.1 103 Early Hints\r\ncontent-length: 2\r\n\r\n{}"],
  ["a bare line break", "HTTP/1.1 200 OK\r\nx: a\nb\r\ncontent-length: 2\r\n\r\n{}"],
  ["a folded header", "HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 2\r\n\r\n{}"],
  ["a null byte", "HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 2\r\n\r\n{}"],
])("leaves %s to the reader of pieces", (_, text) => {
  expect(plainResponse(Buffer.from(text))).toBeUndefined();
});
