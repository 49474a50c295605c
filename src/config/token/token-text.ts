const MAX_LENGTH = 64 * 1024;

export function withoutFinalLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Returns why a text cannot be sent as a token, or undefined. The message never contains any of it. */
export function tokenProblem(token: string): string | undefined {
  if (token === "") return "contains no token";
  if (token.length > MAX_LENGTH) return "is longer than 64 KiB";
  if (/[\r\n]/.test(token)) return "contains several lines";
  if (!/^[\x21-\x7e]*$/.test(token)) return "contains a space, a control character, or a non-ASCII character";
  return undefined;
}
