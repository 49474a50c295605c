import { badResponse, createLineReader } from "./line-reader.ts";
import type { ReplyHeaders } from "./reply-collector.ts";
import { ABOUT_CONNECTION, fieldIn, type HeaderField, headOf, INTERIM, type ParsedHead } from "./response-head.ts";

/** Nothing of an interim response is reported, or of what follows the response. */
export interface ResponseEvents {
  head(status: number, headers: ReplyHeaders): void;
  /** @param chunk valid only until this returns */
  data(chunk: Buffer): void;
  /** @param isLast whether no other response can follow on the connection */
  end(isLast: boolean): void;
  /** Called for what HTTP allows and services rarely send: chunk extensions, trailers, bytes that follow. */
  rarity?(): void;
}

export interface ResponseReader {
  /** @throws Error if `node:http` could reject the response: it never accepts more, but at times less */
  take(chunk: Buffer): void;
  /** Called when the service closed the connection. @throws Error if that truncates the response */
  close(): void;
}

/** A size, and extensions whose value may be quoted (RFC 9112, 7.1). */
const CHUNK_SIZE =
  /^([0-9A-Fa-f]{1,13})(;[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[\t !#-[\]-~]*"))?)*$/;
const START = { any: /^/, size: /^[0-9A-Fa-f]+(?:[;\r]|$)/, empty: /^\r$/ };
const [CR, LF] = [13, 10];

/** Starts reading a response. Further responses in the last bytes are read like it, and not reported. */
export function createResponseReader(events: ResponseEvents): ResponseReader {
  const lines = createLineReader();
  /** Reads the next line; absent while a body is read. */
  let readLine: ((line: string) => void) | undefined = readStatus;
  let afterBody = finish;
  let bytesLeft = 0;
  let start = START.any;
  let statusLine = "";
  let fields: HeaderField[] = [];
  let head: ParsedHead | undefined;
  let isComplete = false;
  let isReported = false;

  function takeLine(read: (line: string) => void, chunk: Buffer, at: number): number {
    const { end, line } = lines.take(chunk, at, start);
    if (line !== undefined) read(line);
    return end;
  }

  function takeBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + bytesLeft);
    if (!isComplete) events.data(chunk.subarray(at, end));
    bytesLeft -= end - at;
    if (bytesLeft === 0) afterBody();
    return end;
  }

  function readStatus(line: string): void {
    if (head && !head.keepsAlive) throw badResponse();
    statusLine = line;
    expectLine(readField);
  }

  function readField(line: string): void {
    if (line === "") endHead();
    else fields.push(fieldIn(line) ?? fail());
  }

  function endHead(): void {
    head = headOf(statusLine, fields) ?? fail();
    fields = [];
    if (INTERIM.includes(head.status)) expectResponse();
    else if (head.status < 200) throw badResponse();
    else beginBody(head);
  }

  function beginBody(head: ParsedHead): void {
    if (!isComplete) events.head(head.status, head.headers);
    if (head.length === "chunks") expectChunk();
    else if (head.length === 0) finish();
    else expectBody(head.length === "close" ? Number.POSITIVE_INFINITY : head.length, finish);
  }

  function readSize(line: string): void {
    const [, size = fail(), extension] = CHUNK_SIZE.exec(line) ?? [];
    if (extension !== undefined) events.rarity?.();
    lines.count();
    if (/^0+$/.test(size)) expectLine(readTrailer);
    else expectBody(Number.parseInt(size, 16), () => expectLine(readChunkEnd, START.empty));
  }

  function readChunkEnd(line: string): void {
    if (line !== "") throw badResponse();
    expectChunk();
  }

  function readTrailer(line: string): void {
    if (line === "") finish();
    else if (ABOUT_CONNECTION.includes((fieldIn(line) ?? fail())[0])) throw badResponse();
    else events.rarity?.();
  }

  function expectResponse(): void {
    lines.count();
    expectLine(readStatus);
  }

  function expectChunk(): void {
    lines.count();
    expectLine(readSize, START.size);
  }

  function expectLine(read: (line: string) => void, begins = START.any): void {
    readLine = read;
    start = begins;
  }

  function expectBody(length: number, next: () => void): void {
    bytesLeft = length;
    afterBody = next;
    readLine = undefined;
  }

  function finish(): void {
    isComplete = true;
    expectResponse();
  }

  function report(isLast: boolean): void {
    if (!isComplete || isReported) return;
    isReported = true;
    events.end(isLast);
  }

  function takeNext(chunk: Buffer, at: number): number {
    return readLine ? takeLine(readLine, chunk, at) : takeBody(chunk, at);
  }

  const isBetween = () => readLine === readStatus && lines.isEmpty();

  /** Rejects bytes after the response unless they are complete responses, which are dropped, or empty lines. */
  function takeRest(chunk: Buffer, start: number): void {
    let at = start;
    while (at < chunk.length) at = isBetween() && (chunk[at] === CR || chunk[at] === LF) ? at + 1 : takeNext(chunk, at);
    if (!isBetween()) throw badResponse();
    events.rarity?.();
  }

  return {
    take(chunk) {
      let at = 0;
      while (at < chunk.length && !isComplete) at = takeNext(chunk, at);
      if (!isComplete) return;
      const isLast = at < chunk.length || !head?.keepsAlive;
      if (at < chunk.length) takeRest(chunk, at);
      report(isLast);
    },
    close() {
      if (!isComplete && bytesLeft === Number.POSITIVE_INFINITY) finish();
      if (!isComplete) throw new Error("closed");
      report(true);
    },
  };
}

function fail(): never {
  throw badResponse();
}
