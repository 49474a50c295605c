/** Returns a name for texts without secrets: it distinguishes, and hides nothing. A real digest is slow to load. */
export function shortName(texts: readonly string[]): string {
  const text = texts.join("\0");
  return sumText(text, 0x811c9dc5) + sumText(text, 0x9dc5811c);
}

function sumText(text: string, start: number): string {
  let hash = start;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
