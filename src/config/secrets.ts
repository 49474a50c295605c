import { formsOf } from "./secret-forms.ts";

const MARK = "‹redacted›";

/** A shorter text is not looked for: it would be found everywhere. */
const SHORTEST = 8;

/** Longer secrets are looked for in pieces of about so many characters: a pattern has its limits. */
const PIECE = 512;

/** The texts that must never be printed, as `App.secrets` has them. */
export function createSecrets() {
  const pieces = new Set<string>();
  let forms: readonly (string | RegExp)[] = [];
  return {
    add(secret: string): void {
      if (secret.length < SHORTEST || pieces.has(secret)) return;
      for (const piece of piecesOf(secret)) pieces.add(piece);
      forms = [...pieces].sort((a, b) => b.length - a.length).flatMap(formsOf);
    },
    redact(text: string): string {
      return forms.reduce((result: string, form) => result.replaceAll(form, MARK), text);
    },
  };
}

function piecesOf(secret: string): string[] {
  const characters = [...secret];
  const count = Math.ceil(characters.length / PIECE);
  const size = Math.ceil(characters.length / count);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(""));
}
