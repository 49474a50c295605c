import type { ReplyHeaders } from "./reply-collector.ts";
import {
  ABOUT_CONNECTION,
  type HeaderField,
  INTERIM,
  type ParsedHead,
  responseHead,
  responseHeadField,
  STRICT,
} from "./response-head.ts";

/** Nothing of an interim response is reported, or of what follows the response. */
interface ResponseEvents {
  head(status: number, headers: ReplyHeaders): void;
  /** @param chunk valid only until this returns */
  data(chunk: Buffer): void;
  /** @param isLast whether no other response can follow on the connection */
  end(isLast: boolean): void;
  /** Called for what HTTP allows and services rarely send: chunk extensions, trailers, bytes that follow. */
  rarity?(): void;
}

/** A size, and extensions whose value may be quoted (RFC 9112, 7.1). */
const CHUNK_SIZE =
  /^([0-9A-Fa-f]{1,13})(;[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[\t !#-[\]-~]*"))?)*$/;
const START = { any: /^/, size: /^[0-9A-Fa-f]+(?:[;\r]|$)/, empty: /^\r$/ };
const [CR, LF] = [13, 10];

/** Reads a response. Further responses in the last bytes are read like it, and not reported. */
export class ResponseReader {
  private readonly events: ResponseEvents;
  private readonly lines = createLineReader();
  /** Reads the next line; absent while a body is read. */
  private readLine: ((line: string) => void) | undefined = this.readStatus;
  private afterBody = this.finish;
  private bytesLeft = 0;
  private start = START.any;
  private statusLine = "";
  private fields: HeaderField[] = [];
  private parsed: ParsedHead | undefined;
  private isComplete = false;
  private isReported = false;

  constructor(events: ResponseEvents) {
    this.events = events;
  }

  /** @throws Error if `node:http` could reject the response: it never accepts more, but at times less */
  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.isComplete) at = this.takeNext(chunk, at);
    if (!this.isComplete) return;
    const isLast = at < chunk.length || !this.parsed?.keepsAlive;
    if (at < chunk.length) this.takeRest(chunk, at);
    this.report(isLast);
  }

  /** Called when the service closed the connection. @throws Error if that truncates the response */
  close(): void {
    if (!this.isComplete && this.bytesLeft === Number.POSITIVE_INFINITY) this.finish();
    if (!this.isComplete) throw new Error("closed");
    this.report(true);
  }

  private takeNext(chunk: Buffer, at: number): number {
    return this.readLine ? this.takeLine(chunk, at) : this.takeBody(chunk, at);
  }

  private takeLine(chunk: Buffer, at: number): number {
    const { end, line } = this.lines.take(chunk, at, this.start);
    if (line !== undefined) this.readLine?.(line);
    return end;
  }

  private takeBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.bytesLeft);
    if (!this.isComplete) this.events.data(chunk.subarray(at, end));
    this.bytesLeft -= end - at;
    if (this.bytesLeft === 0) this.afterBody();
    return end;
  }

  private readStatus(line: string): void {
    if (this.parsed && !this.parsed.keepsAlive) throw badResponseLine();
    this.statusLine = line;
    this.expectLine(this.readField);
  }

  private readField(line: string): void {
    if (line === "") this.endHead();
    else this.fields.push(responseHeadField(line) ?? failResponse());
  }

  private endHead(): void {
    const head = responseHead(this.statusLine, this.fields) ?? failResponse();
    [this.parsed, this.fields] = [head, []];
    if (INTERIM.includes(head.status)) this.expectResponse();
    else if (head.status < 200) throw badResponseLine();
    else this.beginBody(head);
  }

  private beginBody({ status, headers, length }: ParsedHead): void {
    if (!this.isComplete) this.events.head(status, headers);
    if (length === "chunks") this.expectChunk();
    else if (length === 0) this.finish();
    else this.expectBody(length === "close" ? Number.POSITIVE_INFINITY : length, this.finish);
  }

  private readSize(line: string): void {
    const [, size = failResponse(), extension] = CHUNK_SIZE.exec(line) ?? [];
    if (extension !== undefined) this.events.rarity?.();
    this.lines.count();
    if (/^0+$/.test(size)) this.expectLine(this.readTrailer);
    else this.expectBody(Number.parseInt(size, 16), () => this.expectLine(this.readChunkEnd, START.empty));
  }

  private readChunkEnd(line: string): void {
    if (line !== "") throw badResponseLine();
    this.expectChunk();
  }

  private readTrailer(line: string): void {
    if (line === "") this.finish();
    else if (ABOUT_CONNECTION.includes((responseHeadField(line) ?? failResponse())[0])) throw badResponseLine();
    else this.events.rarity?.();
  }

  private expectResponse(): void {
    this.lines.count();
    this.expectLine(this.readStatus);
  }

  private expectChunk(): void {
    this.lines.count();
    this.expectLine(this.readSize, START.size);
  }

  private expectLine(read: (line: string) => void, begins = START.any): void {
    this.readLine = read;
    this.start = begins;
  }

  private expectBody(length: number, next: () => void): void {
    this.bytesLeft = length;
    this.afterBody = next;
    this.readLine = undefined;
  }

  private finish(): void {
    this.isComplete = true;
    this.expectResponse();
  }

  private report(isLast: boolean): void {
    if (!this.isComplete || this.isReported) return;
    this.isReported = true;
    this.events.end(isLast);
  }

  private isBetween(): boolean {
    return this.readLine === this.readStatus && this.lines.isEmpty();
  }

  /** Rejects bytes after the response unless they are complete responses, which are dropped, or empty lines. */
  private takeRest(chunk: Buffer, start: number): void {
    let at = start;
    while (at < chunk.length)
      at = this.isBetween() && (chunk[at] === CR || chunk[at] === LF) ? at + 1 : this.takeNext(chunk, at);
    if (!this.isBetween()) throw badResponseLine();
    this.events.rarity?.();
  }
}

function failResponse(): never {
  throw badResponseLine();
}

function createLineReader() {
  let held = "";
  let counted = 0;
  return {
    isEmpty: () => held === "",
    /** @param start how a line must begin @throws Error unless it ends in CR and LF, and has no control characters */
    take(chunk: Buffer, at: number, start: RegExp) {
      const end = chunk.indexOf(LF, at) + 1;
      const piece = chunk.toString("latin1", at, Math.min(end || chunk.length, at + STRICT.maxHeaderSize + 1));
      counted += piece.length;
      held += piece;
      if (counted > STRICT.maxHeaderSize || !CHARACTERS.test(held.slice(-piece.length - 1))) throw badResponseLine();
      if (end === 0 && !start.test(held)) throw badResponseLine();
      if (end === 0) return { end: chunk.length };
      const line = held.slice(0, -2);
      held = "";
      return { end, line };
    },
    /** Starts the next group of lines whose length is limited together. */
    count() {
      counted = 0;
    },
  };
}

const CHARACTERS = /^[\t -~\x80-\xff]*(?:\r\n?)?$/;

export function badResponseLine(): Error {
  return new Error("bad response");
}
