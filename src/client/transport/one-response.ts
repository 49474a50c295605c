import { createResponseReader } from "./response-reader.ts";

/**
 * Returns whether the bytes are exactly one response with this status over HTTP/1.0 or 1.1, after any interim
 * responses. Stricter than HTTP libraries: ambiguous bytes are not one response.
 * @param isClosed whether the service closed the connection after them
 */
export function isOneResponse(bytes: Buffer, status: number, isClosed: boolean): boolean {
  let found: number | undefined;
  let isAmbiguous = false;
  let isComplete = false;
  let endsWithConnection = false;
  const reader = createResponseReader({
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
