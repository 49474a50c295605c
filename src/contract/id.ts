/** Characters that an ID may not contain: they would change the path, or could not be addressed (facts 1.6). */
const FORBIDDEN = /[/\u0000-\u001f\u007f-\u009f]/;

/** Matches the IDs that the service gives to transactions (facts 1.6). */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns whether a text can be the first characters of such an ID: eight at least. */
export function beginsUuid(text: string): boolean {
  return /^[0-9a-f]{8}[0-9a-f-]*$/i.test(text) && !isUuid(text);
}

/** Returns why an ID can't be in a path. `true` and `false` are refused, since `--paused false` leaves one. */
export function idProblem(id: string): string | undefined {
  if (typeof id !== "string") return "must be a string";
  if (id === "") return "is empty";
  if (id === "." || id === "..") return "would change the path of the request";
  if (FORBIDDEN.test(id)) return "contains a slash or a control character";
  if (!id.isWellFormed()) return "contains a lone surrogate";
  if (id === "true" || id === "false") return "unexpected: a flag such as --paused takes no value; use --no-paused";
  return undefined;
}

export const LONGEST_NEW_ID = 36;

/** Returns why a new resource cannot have this ID: the service rejects it, or it could not be typed later. */
export function newIdProblem(id: string): string | undefined {
  return serviceIdProblem(id) ?? idProblem(id);
}

/** Returns the service's words for why a new resource can't have this ID (facts 3.1). */
export function serviceIdProblem(id: string): string | undefined {
  if (id === "") return "ID cannot be empty";
  if (id.length > LONGEST_NEW_ID) return `ID must not exceed ${LONGEST_NEW_ID} characters`;
  if (/^[A-Za-z0-9_-]+$/.test(id)) return undefined;
  return `ID must contain only letters, numbers, dashes and underscores and must be at most ${LONGEST_NEW_ID} characters long`;
}

export function idPathPart(id: string): string {
  const problem = idProblem(id);
  if (problem) throw new RangeError(`an id ${problem}`);
  return encodeURIComponent(id);
}

/** Identifier fields whose names do not end in a word that shows it. */
const IDENTIFIERS = ["from", "to", "signature", "signer", "source_account", "public_key"];
const IDENTIFYING = ["id", "address", "hash"];

/** Returns whether a field has an ID, an address, or a hash, which must not be cut. */
export function isIdField(path: string): boolean {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return IDENTIFYING.includes(name.slice(name.lastIndexOf("_") + 1)) || IDENTIFIERS.includes(name);
}
