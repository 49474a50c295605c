/** Matches from a place, and goes on where a match ended; false sends it back to its last choice. */
type Matcher = (at: number, goOn: (at: number) => boolean) => boolean;

/** What stands in a pattern: a group's opening, its end, an alternative, a quantifier, a class or a character. */
const TOKENS = /\((?:\?:)?|[)|]|[?*+]|\{\d+,\d+\}|\[(?:\\.|[^\]\\])*\]|\\.|[^\\]/g;

/**
 * Tries a pattern on all of a text as any backtracking engine does, and counts the characters that it reads. It supports only
 * the syntax that item patterns use.
 */
export function countedMatch(pattern: string, text: string): { matches: boolean; steps: number } {
  const tokens = pattern.match(TOKENS) ?? [];
  let next = 0;
  let steps = 0;

  function alternatives(): Matcher {
    const found = [sequence()];
    while (tokens[next] === "|") {
      next++;
      found.push(sequence());
    }
    return (at, goOn) => found.some((matcher) => matcher(at, goOn));
  }

  function sequence(): Matcher {
    const parts: Matcher[] = [];
    while (next < tokens.length && tokens[next] !== "|" && tokens[next] !== ")") parts.push(repeated(one()));
    const from = (index: number, at: number, goOn: (at: number) => boolean): boolean =>
      parts[index]?.(at, (end) => from(index + 1, end, goOn)) ?? goOn(at);
    return (at, goOn) => from(0, at, goOn);
  }

  function one(): Matcher {
    const token = tokens[next++] ?? "";
    if (!token.startsWith("(")) return character(new RegExp(`^${token}$`));
    const inner = alternatives();
    next++;
    return inner;
  }

  function character(expected: RegExp): Matcher {
    return (at, goOn) => {
      steps++;
      return expected.test(text[at] ?? "") && goOn(at + 1);
    };
  }

  function repeated(matcher: Matcher): Matcher {
    const [least, most] = bounds(tokens[next] ?? "");
    if (most === 1 && least === 1) return matcher;
    next++;
    const again = (count: number, at: number, goOn: (at: number) => boolean): boolean =>
      (count < most && matcher(at, (end) => end > at && again(count + 1, end, goOn))) || (count >= least && goOn(at));
    return (at, goOn) => again(0, at, goOn);
  }

  const matches = alternatives()(0, (end) => end === text.length);
  return { matches, steps };
}

function bounds(token: string): [number, number] {
  if (token === "?") return [0, 1];
  if (token === "*") return [0, Number.POSITIVE_INFINITY];
  if (token === "+") return [1, Number.POSITIVE_INFINITY];
  const [, least, most] = token.match(/^\{(\d+),(\d+)\}$/) ?? [];
  return least === undefined ? [1, 1] : [Number(least), Number(most)];
}
