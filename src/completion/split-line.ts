/** A bash line up to the cursor, in words as the shell would pass them. */
export interface SplitLine {
  words: string[];
  quote: "" | "'" | '"';
  /** The length of the last word's part that bash keeps: it replaces the rest. */
  kept: number;
}

interface State extends SplitLine {
  /** Whether a word has begun, possibly an empty one in quotes. */
  begun: boolean;
}

/**
 * Splits a line like bash, without expansions.
 * @param breaks bash's `COMP_WORDBREAKS`: bash completes from the last of these on, so `--output=js` is completed from
 * `js`
 */
export function splitLine(line: string, breaks: string): SplitLine {
  const state: State = { words: [""], quote: "", kept: 0, begun: false };
  for (const [part] of line.matchAll(/\\.?|./gs)) {
    if (!part.startsWith("\\")) take(state, part, breaks);
    else if (state.quote !== "'") append(state, part.slice(1));
    // Within single quotes a backslash is literal.
    else for (const character of part) take(state, character, breaks);
  }
  const { words, quote, kept } = state;
  return { words, quote, kept };
}

function take(state: State, character: string, breaks: string): void {
  if (character === state.quote) state.quote = "";
  else if (state.quote !== "") append(state, character);
  else if (character === "'" || character === '"') openQuote(state, character);
  else if (/\s/.test(character)) endWord(state);
  else {
    append(state, character);
    if (breaks.includes(character)) state.kept = getLast(state).length;
  }
}

function append(state: State, text: string): void {
  state.words[state.words.length - 1] = getLast(state) + text;
  state.begun = true;
}

/** Opens a quote. Within quotes, bash replaces the text after the opening one. */
function openQuote(state: State, quote: SplitLine["quote"]): void {
  state.quote = quote;
  state.kept = getLast(state).length;
  state.begun = true;
}

function endWord(state: State): void {
  if (state.begun) state.words.push("");
  state.begun = false;
  state.kept = 0;
}

function getLast({ words }: State): string {
  return words.at(-1) ?? "";
}
