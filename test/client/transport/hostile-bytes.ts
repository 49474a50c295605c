import fc from "fast-check";

const STATUS_LINES = [
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200 OK",
  "HTTP/1.1 404 Not Found",
  "HTTP/1.1 200 ",
  "HTTP/1.1 200",
  "HTTP/1.0 200 OK",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 304 Not Modified",
  "HTTP/1.1 503 \xe9\t!",
  "HTTP/1.1 100 Continue",
  "HTTP/1.1 101 Switching Protocols",
  "HTTP/1.1 103 Early Hints",
  "HTTP/1.1 104 Words",
  "HTTP/1.1 999 Words",
  "HTTP/1.1 20 OK",
  "HTTP/1.1 2000 OK",
  "HTTP/1.1  200 OK",
  "HTTP/1.2 200 OK",
  "HTTP/2.0 200 OK",
  "HTTP/0.9 200 OK",
  "RTSP/1.0 200 OK",
  "ICE/1.0 200 OK",
  "http/1.1 200 OK",
  "GET / HTTP/1.1",
];

const FIELDS = [
  "content-type: application/json",
  "Content-Length: 2",
  "content-length: 2 ",
  "content-length:\t2",
  "content-length: 3",
  "content-length: 0",
  "content-length: 02",
  "content-length: +2",
  "content-length: -1",
  "content-length: 2, 2",
  "content-length: 0x2",
  "content-length: 2\xa0",
  "content-length:",
  "content-length: 99999999999999999999999",
  "content-length : 2",
  "Transfer-Encoding: chunked",
  "transfer-encoding: Chunked ",
  "transfer-encoding: gzip, chunked",
  "transfer-encoding: chunked, gzip",
  "transfer-encoding: identity",
  "transfer-encoding: xchunked",
  "transfer-encoding: chunked\xa0",
  "transfer-encoding:",
  "connection: close",
  "connection: keep-alive",
  "connection: upgrade",
  "connection: x, Close",
  "upgrade: h2c",
  "keep-alive: timeout=5",
  "x-twice: 1",
  "X-Twice: 2",
  "x: a\r\n folded",
  " leading: space",
  "x: \x80\xff",
  "x: \x7f",
  "x: \0",
  "x: a\rb",
  "x: a\nb",
  "no colon",
  ": no name",
  "x\t: tab",
  "(x): parentheses",
  `x: ${"long ".repeat(3000)}`,
  `x: ${"longer ".repeat(3000)}`,
];

const BODIES = [
  "{}",
  "{}",
  "",
  "{}{}",
  "2\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}\r\n0\r\n\r\n",
  "1\r\n{\r\n1\r\n}\r\n000\r\n\r\n",
  "2;x\r\n{}\r\n0;y=z\r\n\r\n",
  '2;x="y"\r\n{}\r\n0\r\n\r\n',
  "2 ;x\r\n{}\r\n0\r\n\r\n",
  "2;\r\n{}\r\n0\r\n\r\n",
  "2;x=\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}\r\n0\r\nx: y\r\n\r\n",
  "2\r\n{}\r\n0\r\nx\r\n\r\n",
  "2\r\n{}\r\n0\r\ncontent-length: 2\r\n\r\n",
  "2\r\n{}\r\n0\r\nx: y\r\n z\r\n\r\n",
  "2\n{}\n0\n\n",
  "2\r\n{}0\r\n\r\n",
  "2\r\n{}x\r\n0\r\n\r\n",
  "0x2\r\n{}\r\n0\r\n\r\n",
  "2 \r\n{}\r\n0\r\n\r\n",
  " 2\r\n{}\r\n0\r\n\r\n",
  "-2\r\n{}\r\n0\r\n\r\n",
  "\r\n{}\r\n0\r\n\r\n",
  "g\r\n{}\r\n0\r\n\r\n",
  "fffffffffffffffff\r\n{}",
  "fffffffffffff\r\n{}",
  "00000000000000002\r\n{}\r\n0\r\n\r\n",
];

const AFTER = [
  "",
  "",
  "",
  "",
  "\r\n",
  "\n",
  "x",
  "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]",
  "\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]",
  "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[",
  "HTTP/1.1 103 Early Hints\r\n\r\n",
  "HTTP/1.1 200 OK\r\n\r\nrest",
  "RTSP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n",
];

const BEFORE = [
  "",
  "",
  "",
  "",
  "\r\n",
  "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n",
  "HTTP/1.1 102 Processing\r\nconnection: close\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\ncontent-length: 2\r\n\r\n",
  "HTTP/1.0 103 Early Hints\r\n\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
];

const BYTES = [..."\r\n\t :;,=0129afAFxH/.\0\x7f\x80\xa0\xff", "\r\n", "\r\n\r\n"];

function partsOfResponses(): fc.Arbitrary<string> {
  return fc
    .record({
      before: fc.constantFrom(...BEFORE),
      statusLine: fc.constantFrom(...STATUS_LINES),
      fields: fc.array(fc.constantFrom(...FIELDS), { maxLength: 3 }),
      body: fc.constantFrom(...BODIES),
      after: fc.constantFrom(...AFTER),
    })
    .map(
      ({ before, statusLine, fields, body, after }) =>
        `${before}${[statusLine, ...fields].map((line) => `${line}\r\n`).join("")}\r\n${body}${after}`,
    );
}

function changed(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(), remove: fc.nat({ max: 2 }), insert: fc.constantFrom("", ...BYTES) });
  return fc.tuple(texts, fc.array(change, { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((changed, { at, remove, insert }) => {
      const start = at % (changed.length + 1);
      return changed.slice(0, start) + insert + changed.slice(start + remove);
    }, text),
  );
}

/** A correct response to a read, with what hardly any service sends. */
function correctResponse(): fc.Arbitrary<string> {
  const fields = fc.array(
    fc.constantFrom("Content-Type: application/json", "x-twice:1", "X-Twice: 2\t", "x-empty:", "keep-alive: timeout=5"),
  );
  const chunk = fc
    .tuple(
      fc.string({ minLength: 1, maxLength: 20, unit: "binary-ascii" }),
      fc.constantFrom("", ";x", ";x=y;z", ';x="y z;";z'),
    )
    .map(([data, extension]) => `${data.length.toString(16)}${extension}\r\n${data}\r\n`);
  const chunked = fc
    .tuple(fc.array(chunk, { maxLength: 4 }), fc.constantFrom("", "x: y\r\n", "x: y\r\nz:\r\n"))
    .map(([chunks, trailers]) => `transfer-encoding: chunked\r\n\r\n${chunks.join("")}0\r\n${trailers}\r\n`);
  const sized = fc
    .string({ maxLength: 40, unit: "binary-ascii" })
    .map((data) => `content-length: ${data.length}\r\n\r\n${data}`);
  return fc
    .record({
      interim: fc.constantFrom("", "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"),
      status: fc.constantFrom(200, 201, 400, 404, 500, 503),
      fields,
      rest: fc.oneof(chunked, sized),
      after: fc.constantFrom("", "", "\r\n"),
    })
    .map(
      ({ interim, status, fields, rest, after }) =>
        `${interim}HTTP/1.1 ${status} Words\r\n${fields.map((field) => `${field}\r\n`).join("")}${rest}${after}`,
    );
}

/** The bytes of a text in pieces, as a network may deliver them. */
export function inPieces(text: string, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places
    .slice(1)
    .map((end, index) => Buffer.from(text.slice(places[index], end), "latin1"))
    .filter(({ length }) => length > 0);
}

function delivered(texts: fc.Arbitrary<string>): fc.Arbitrary<Buffer[]> {
  return fc.tuple(texts, fc.array(fc.nat(), { maxLength: 4 })).map(([text, cuts]) => inPieces(text, cuts));
}

export const nearlyResponses = delivered(
  fc.oneof(partsOfResponses(), changed(partsOfResponses()), changed(correctResponse())),
);
export const correctResponses = delivered(correctResponse());
