import { INTERIM } from "./response-head.ts";
import { ResponseReader } from "./response-reader.ts";

/** The bytes read from a connection since a request, before any library parses them. */
export type ReplyReading = ReturnType<typeof createResponseReading>;

/** A sample as long as the protocol and status of a response. */
const SAMPLE = "HTTP/1.1 200 ";
const END_OF_HEAD = "\r\n\r\n";
const START = /^HTTP\/1\.[01] ([1-9][0-9]{2})[ \r]$/;

/**
 * Starts reading the response to a request.
 * @param keeps whether the bytes are kept for `doubt`
 * @param refuse called if the bytes are not a response over HTTP/1.0 or 1.1: the libraries also accept RTSP, ICE,
 * HTTP/2.0, switched protocols, and statuses of 000 to 099
 */
export function createResponseReading({ keeps, refuse }: { keeps: boolean; refuse: () => void }) {
  const chunks: Buffer[] = [];
  let isEarly: boolean | undefined;
  let isKnown = false;
  let head = "";

  function readHead(chunk: Buffer): void {
    // Nearly always the first bytes suffice, and the rest need not be decoded.
    if (head === "" && chunk.length >= SAMPLE.length && statusIn(chunk.toString("latin1", 0, SAMPLE.length)) >= 200) {
      isKnown = true;
      return;
    }
    head += chunk.toString("latin1");
    while (head.length >= SAMPLE.length) {
      const status = statusIn(head.slice(0, SAMPLE.length));
      if (!INTERIM.includes(status)) {
        know(status >= 200);
        return;
      }
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      head = head.slice(end + END_OF_HEAD.length);
    }
    if (Number.isNaN(statusIn(head))) know(false);
  }

  function know(isResponse: boolean): void {
    isKnown = true;
    if (!isResponse) refuse();
  }

  return {
    /** @param isWritten whether the whole request had left when these bytes were read */
    take(chunk: Buffer, isWritten: boolean): void {
      isEarly ??= !isWritten;
      if (keeps) chunks.push(chunk);
      if (!isKnown) readHead(chunk);
    },
    /** Returns undefined if the bytes prove it. @param facts `isClosed` if the connection was closed after them */
    doubt(status: number, { isClosed, isWritten }: { isClosed: boolean; isWritten: boolean }) {
      // A request that is never sent completely is not applied.
      if (isEarly && isWritten) return "the response began before the request had been sent";
      if (!isOneResponse(Buffer.concat(chunks), status, isClosed))
        return "more than one response came, or a malformed one";
      return undefined;
    },
  };
}

function statusIn(start: string): number {
  return Number(START.exec(start + SAMPLE.slice(start.length))?.[1] ?? Number.NaN);
}

/** Allows interim responses, but is stricter than HTTP libraries: ambiguous bytes are not one response. */
export function isOneResponse(bytes: Buffer, status: number, isClosed: boolean): boolean {
  let found: number | undefined;
  let isAmbiguous = false;
  let isComplete = false;
  let endsWithConnection = false;
  const reader = new ResponseReader({
    head(code, headers) {
      found = code;
      endsWithConnection = headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
    },
    data(chunk) {
      // Without a length, another response would look like more of the body.
      if (endsWithConnection && chunk.includes("HTTP/")) isAmbiguous = true;
    },
    rarity() {
      isAmbiguous = true;
    },
    end() {
      isComplete = true;
    },
  });
  try {
    reader.take(bytes);
    if (isClosed) reader.close();
  } catch {
    return false;
  }
  return isComplete && !isAmbiguous && found === status;
}
