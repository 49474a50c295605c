const TEXT_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const TEXT_OR_LAST_COMMA = /"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g;

/** Replaces comments and trailing commas with spaces, so that every position in the JSON stays the same. */
export function withoutComments(text: string): string {
  const json = text
    .replace(/^\ufeff/, " ")
    .replace(TEXT_OR_COMMENT, (found) => (isText(found) ? found : found.replace(/[^\r\n]/g, " ")));
  return json.replace(TEXT_OR_LAST_COMMA, (found) => (isText(found) ? found : " "));
}

function isText(found: string): boolean {
  return found.startsWith('"');
}
