import { isUtf8 } from "node:buffer";
import { formsOf, literalForms } from "./secret-forms.ts";

const MARK = "‹redacted›";

/** The minimum length: a shorter text would match everywhere. */
const SHORTEST = 8;

/** Longer secrets are searched in pieces of about this many characters: a pattern has a maximum size. */
const PIECE = 512;

/** Creates the store of texts that must never be printed, for `App.secrets`. */
export function createSecrets() {
  const pieces = new Set<string>();
  let forms: readonly (string | RegExp)[] | undefined;
  let literals: readonly string[] = [];
  let literalBytes: readonly Buffer[] = [];
  let escapes = "";

  /**
   * Returns whether a text may contain a secret in an escaped form: without these characters, only the literal forms
   * are possible.
   */
  const isEscaped = (chunk: string | Buffer) => escapes.split("").some((character) => chunk.includes(character));

  const ordered = () => [...pieces].sort((a, b) => b.length - a.length);
  /** Built on first need: building the patterns takes longer than everything else with a token. */
  const allForms = () => (forms ??= ordered().flatMap(formsOf));

  return {
    add(secret: string): void {
      if (secret.length < SHORTEST || pieces.has(secret)) return;
      for (const piece of piecesOf(secret)) pieces.add(piece);
      forms = undefined;
      literals = [...new Set(ordered().flatMap(literalForms))];
      literalBytes = literals.map((literal) => Buffer.from(literal));
      escapes = [...pieces].some((piece) => piece.includes(" ")) ? "\\%+" : "\\%";
    },
    redact(text: string): string {
      const possible = isEscaped(text) ? allForms() : literals;
      return possible.reduce((result: string, form) => result.replaceAll(form, MARK), text);
    },
    mayOccurIn(bytes: Uint8Array): boolean {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      return !isUtf8(chunk) || isEscaped(chunk) || literalBytes.some((literal) => chunk.includes(literal));
    },
  };
}

function piecesOf(secret: string): string[] {
  const characters = [...secret];
  const count = Math.ceil(characters.length / PIECE);
  const size = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(""));
}
