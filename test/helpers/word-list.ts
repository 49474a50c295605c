/** Words and phrases that texts avoid, and what to write instead. A pattern is only here if it has no good use. */
const AVOIDED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:tells?|told|telling)\b/, "show, report, print"],
  [/\bas \d+(?:gwei|\/s)/, "e.g. 80gwei"],
  [/(?<!there )\b(?:is|are|was|were) no\b(?! longer)/, "is not a, unknown, not found"],
  [/\bno such\b/, "unknown, not found"],
  [/\b(?:answer(?:s|ed|ing)?|repl(?:y|ies|ied|ying))\b/, "response, respond"],
  [/\bgo(?:es)? on\b/, "continue, keep running"],
  [/\blooked at\b|\ba look at\b/, "checked, a check"],
  [/\btak(?:en|es?) (?:it |them )?back\b/, "undone, undo"],
  [/\bbehind\b/, "after"],
  [/\bspares?\b/, "skips"],
  [/\bunder way\b/, "in progress, pending"],
  [/\banew\b/, "from scratch, again"],
  [/\bjudg(?:e[sd]?|ing)\b/, "validate, check"],
  [/\bweighs?\b/, "weight"],
  [/\b(?:already so|so already)\b/, "already set, no change"],
  [/\b(?:what was asked|as asked)\b/, "the request, the requested value"],
  [/\bof (?:its|their|his|your) own\b/, "separate"],
  [/\bbeside\b/, "next to, along with"],
  [/\bnobody is t?here\b/, "no terminal is attached"],
  [/\ba person\b/, "a user, you"],
  [/\bgestures?\b/, "step, flag"],
  [/\bcancell(?:ed|ing)\b/, "canceled, canceling"],
  [/\b(?:colours?|licences?)\b/, "color, license"],
];

/** Returns each avoided phrase in a text with what to write instead. Code in backticks is not checked. */
export function avoidedWords(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`\n]*`/g, "`…`");
  return AVOIDED.flatMap(([pattern, instead]) =>
    [...prose.matchAll(new RegExp(`.{0,30}${pattern.source}.{0,30}`, "gi"))].map(
      ([excerpt]) => `"${excerpt.trim()}" (write: ${instead})`,
    ),
  );
}
