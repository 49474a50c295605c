/**
 * Returns whether the bytes are exactly one response with this status over HTTP/1.0 or 1.1, after any interim
 * responses. Stricter than HTTP libraries: ambiguous bytes are not one response.
 * @param isClosed whether the service closed the connection after them
 */
export function isOneResponse(bytes: Buffer, status: number, isClosed: boolean): boolean {
  let at = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const head = end < 0 ? undefined : headIn(bytes.toString("latin1", at, end + 2));
    if (!head) return false;
    at = end + 4;
    if (INTERIM.includes(head.status)) continue;
    return head.status === status && endOfBody(bytes, at, head, isClosed) === bytes.length;
  }
}

/** Interim responses that may precede the response: processing (RFC 2518) and early hints (RFC 8297). */
export const INTERIM: readonly number[] = [102, 103];

interface Head {
  version: string;
  status: number;
  /** Every Content-Length and Transfer-Encoding, in order. */
  lengths: readonly string[];
  codings: readonly string[];
}

/** A supported version, three digits, and fields on one line each (RFC 9112, 4 and 5). */
const HEAD =
  /^HTTP\/(1\.[01]) ([1-9][0-9]{2})(?: [\t -~\x80-\xff]*)?\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n)*)$/;

function headIn(text: string): Head | undefined {
  const [, version = "", status, lines = ""] = HEAD.exec(text) ?? [];
  if (status === undefined) return undefined;
  const fields = lines.split("\r\n").map((line) => line.split(/:(.*)/s));
  const valuesOf = (name: string) =>
    fields.filter(([field = ""]) => field.toLowerCase() === name).map(([, value = ""]) => value.trim());
  return {
    version,
    status: Number(status),
    lengths: valuesOf("content-length"),
    codings: valuesOf("transfer-encoding"),
  };
}

/** Returns the end of the body, or undefined if it is uncertain. */
function endOfBody(bytes: Buffer, start: number, head: Head, isClosed: boolean): number | undefined {
  const { version, lengths, codings } = head;
  const [length, coding] = [lengths[0], codings[0]];
  if (lengths.length + codings.length > 1) return undefined;
  if (length !== undefined) return /^[0-9]{1,15}$/.test(length) ? start + Number(length) : undefined;
  if (coding !== undefined)
    return version === "1.1" && /^chunked$/i.test(coding) ? endOfChunks(bytes, start) : undefined;
  // Without a length, another response would look like more of the body.
  return isClosed && !bytes.includes("HTTP/", start) ? bytes.length : undefined;
}

const CRLF = "\r\n";

/** Returns the end of a chunked body without extensions and trailers (RFC 9112, 7.1). */
function endOfChunks(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ; ) {
    const end = bytes.indexOf(CRLF, at);
    const size = end < 0 ? "" : bytes.toString("latin1", at, Math.min(end, at + 9));
    if (!/^[0-9A-Fa-f]{1,8}$/.test(size)) return undefined;
    const data = end + CRLF.length;
    at = data + Number.parseInt(size, 16) + CRLF.length;
    if (bytes.toString("latin1", at - CRLF.length, at) !== CRLF) return undefined;
    if (at === data + CRLF.length) return at;
  }
}
