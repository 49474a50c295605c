import { isUtf8 } from "node:buffer";
import { createLiteralSearch } from "./literal-search.ts";
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
  let literals: Literals | undefined;

  const ordered = () => [...pieces].sort((a, b) => b.length - a.length);
  /** Built on first need: building the patterns takes longer than everything else with a token. */
  const allForms = () => (forms ??= ordered().flatMap(formsOf));
  const allLiterals = () => (literals ??= literalsOf(ordered()));

  return {
    add(secret: string): void {
      if (secret.length < SHORTEST || pieces.has(secret)) return;
      for (const piece of piecesOf(secret)) pieces.add(piece);
      forms = undefined;
      literals = undefined;
    },
    redact(text: string): string {
      const { texts, escapes } = allLiterals();
      const possible = isEscaped(text, escapes) ? allForms() : texts;
      return possible.reduce((result: string, form) => result.replaceAll(form, MARK), text);
    },
    mayOccurIn(bytes: Uint8Array): boolean {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const { occurIn, escapes } = allLiterals();
      return !isUtf8(chunk) || isEscaped(chunk, escapes) || occurIn(chunk);
    },
  };
}

interface Literals {
  texts: readonly string[];
  /** Returns whether bytes contain one of them. */
  occurIn(bytes: Uint8Array): boolean;
  /** The characters that begin an escaped form. */
  escapes: readonly string[];
}

function literalsOf(pieces: readonly string[]): Literals {
  const texts = [...new Set(pieces.flatMap(literalForms))];
  const escapes = pieces.length === 0 ? [] : ["\\", "%", ...(pieces.some((piece) => piece.includes(" ")) ? ["+"] : [])];
  return { texts, occurIn: createLiteralSearch(texts.map((text) => Buffer.from(text))), escapes };
}

/**
 * Returns whether a text may contain a secret in an escaped form: without these characters, only the literal forms are
 * possible.
 */
function isEscaped(chunk: string | Buffer, escapes: readonly string[]): boolean {
  return escapes.some((character) => chunk.includes(character));
}

function piecesOf(secret: string): string[] {
  const characters = [...secret];
  const count = Math.ceil(characters.length / PIECE);
  const size = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(""));
}
