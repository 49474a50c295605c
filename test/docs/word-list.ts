/** A word that no text may use, and the better one. */
export interface BadWord {
  pattern: RegExp;
  better: string;
  /** Texts that the pattern finds. */
  bad: readonly string[];
  /** Texts that look similar and are good. */
  good?: readonly string[];
}

/** Words that sound translated, each as far as a pattern can recognize it. */
export const WORD_LIST: readonly BadWord[] = [
  {
    pattern: /\b(?:tell|tells|telling|told)\b/,
    better: "show, report, print",
    bad: ["tells what changes", "it is told once"],
  },
  {
    pattern: /(?<!there )\b(?:is|are|was|were) no (?!longer\b|more than\b)/,
    better: "is not a …, unknown …, … not found",
    bad: ["r1 is no relayer"],
    good: ["is no longer pending", "is no more than 5", "there is no default"],
  },
  { pattern: /\bno such\b/, better: "unknown …, … not found", bad: ["no such relayer"] },
  {
    pattern: /\blook(?:s|ed|ing)? at\b|\ba look\b/,
    better: "check, read",
    bad: ["the relayer is looked at first", "take a look"],
    good: ["look up the hash"],
  },
  {
    pattern: /\btak(?:en|es?) (?:it |them |this )?back\b/,
    better: "undone, undo",
    bad: ["nothing takes it back", "cannot be taken back"],
  },
  {
    pattern: /\bat most, below\b|\bhardly be\b|\breported to no ?one\b/,
    better: "max fee 12.5 gwei is below …, rarely, go unreported",
    bad: ["it pays 1 gwei at most, below the base fee", "can hardly be helped", "failures are reported to no one"],
  },
  {
    pattern: /\b(?:was|were) begun before\b|\bstays active until\b|\bkeeps the hash from before\b/,
    better: "was already started, runs until, the previous hash",
    bad: ["was begun before", "it stays active until then", "keeps the hash from before"],
  },
  { pattern: /\bspar(?:es|ed|ing)\b/, better: "skips", bad: ["spares the read"], good: ["a spare key"] },
  { pattern: /\bunder way\b/, better: "in progress, pending", bad: ["a write under way"] },
  { pattern: /\banew\b/, better: "from scratch, again", bad: ["start anew"], good: ["a new file"] },
  { pattern: /\bjudg(?:e|es|ed|ing)\b/, better: "validate, check", bad: ["judged before sending"] },
  { pattern: /\bweighs?\b/, better: "weight", bad: ["URL,weight=80 weighs it"], good: ["its weight"] },
  { pattern: /\balready so\b|\bso already\b/, better: "already set, no change", bad: ["applied or already so"] },
  {
    pattern: /\bwhat (?:is|was|were) asked\b|\bas asked\b/,
    better: "the request, the requested value",
    bad: ["differs from what was asked", "what is asked for", "done as asked"],
  },
  {
    pattern: /\ball must hold\b|\bcondition holds?\b/,
    better: "must match, passes, is met",
    bad: ["repeat, all must hold"],
    good: ["holds the key"],
  },
  {
    pattern: /\bof (?:its|their|his|your) own\b/,
    better: "separate",
    bad: ["a page of its own"],
    good: ["on its own"],
  },
  { pattern: /\bbeside\b/, better: "next to, along with", bad: ["beside it"], good: ["besides these"] },
  { pattern: /\bnobody (?:is|was) (?:there|here)\b/, better: "no terminal is attached", bad: ["nobody is there"] },
  { pattern: /\ba person\b/, better: "a user, you", bad: ["said to a person"] },
  { pattern: /\bgestures?\b/, better: "step, flag", bad: ["with one gesture"] },
  {
    pattern: /\b(?:go|goes|going) on\b/,
    better: "continue, keep running",
    bad: ["what is queued goes on", "Enter to go on"],
  },
  {
    pattern: /(?<!lost-)\banswer(?:s|ed|ing)?\b|\brepl(?:y|ies|ied|ying)\b/,
    better: "response, respond; for a question: confirm, choose, enter",
    bad: ["the answer was lost", "the reply's body", "it answers OK"],
  },
  {
    pattern: /\b(?:that|which|it) names\b|\bnames (?:the|an?|another|each|every|one|none|what|which|them|it)\b/,
    better: "specifies, identifies, lists",
    bad: ["the one that --context and which names", "a flag names another"],
    good: ["file names are kept", "column names, in order"],
  },
  {
    pattern: /(?<!rpc-)\bbehind (?!(?:an? |the |your )?(?:proxy|firewall|gateway|load balancer)\b)/,
    better: "after",
    bad: ["--help behind any command"],
    good: ["rpc-behind  the newest block is old", "a service behind a proxy"],
  },
  {
    pattern: /\bas `?(?!0x)\d[\d.]*(?:[a-z]+\b|\/s\b)/,
    better: "e.g.",
    bad: ["with its unit, as 80gwei", "at most so many, as 50/s"],
    good: ["counts as 0", "as 0x12"],
  },
  { pattern: /\bone is made\b/, better: "(default: generated)", bad: ["without it one is made"] },
  { pattern: /\bunless given\b/, better: "(default: …)", bad: ["8 unless given"] },
  { pattern: /\bone too many\b/, better: "unexpected …", bad: ["extra: is one too many"] },
  { pattern: /\bsomething after (?:the|its) end\b/, better: "unexpected …", bad: ["has something after the end"] },
  { pattern: /\bcancell(?:ed|ing|er)\b/, better: "canceled, canceling", bad: ["is cancelled"], good: ["cancellation"] },
  {
    pattern:
      /\b(?:colou?r(?<=our)|behaviour|favour|honour|neighbour|recogni[sz]e(?<=se)|licence|grey|whilst)(?:s|ed|ing)?\b/,
    better: "American spelling",
    bad: ["no colour", "its behaviour"],
    good: ["no color", "recognize"],
  },
];

/** Syntax that sounds translated although its words are right, in texts for users. */
export const SYNTAX_LIST: readonly BadWord[] = [
  { pattern: /\bwhoever\b/, better: "anyone who, the user who", bad: ["whoever has the token"] },
  {
    pattern: /\balso (?:after|from|if|in|with|without|for|of|under|more)\b/,
    better: "even, including",
    bad: ["never sent again, also after a kill"],
    good: ["it also prints"],
  },
  {
    pattern: /(?<!\ble(?:ave|aves|ft|t) (?:it |them )?)\balone\b/,
    better: "only",
    bad: ["prints IDs alone"],
    good: ["relayctl leaves it alone", "a label is left alone"],
  },
  { pattern: /\b(?:that|those) of\b/, better: "repeat the noun", bad: ["in your vault or in that of `--store-in`"] },
  { pattern: /\bone that\b/, better: "repeat the noun", bad: ["a context, or one that fails"] },
  { pattern: /\bso (?:is|are|does|has)\b/, better: "also, too", bad: ["So it is, and so does `tx get`"] },
  {
    pattern: /\b(?:refused|known|not canceled) (?:is|are)\b/,
    better: "relayctl refuses, relayctl decodes",
    bad: ["Refused are transactions", "Known are ERC-20"],
  },
  { pattern: /\bby now\b/, better: "already", bad: ["it is mined by now"] },
  { pattern: /\bfrom before\b/, better: "an earlier", bad: ["a hash from before a replacement"] },
  { pattern: /\bstays so\b/, better: "stays paused", bad: ["it is paused and stays so"] },
  { pattern: /\banother \w+ than\b/, better: "a different, the wrong", bad: ["another chain than the network"] },
  { pattern: /\bwith which\b/, better: "that, whose", bad: ["the error with which it ends"] },
  { pattern: /\d %/, better: "10%", bad: ["10 % more"], good: ["10% more"] },
];

/** A place in a text where a pattern of the list matches. */
export interface Hit {
  words: string;
  better: string;
}

/** Returns a Markdown text without its code, which quotes data. */
export function proseOf(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`\n]*`/g, "`…`");
}

/** Returns every hit in a text. Line breaks count as spaces, since a line can break anywhere in a phrase. */
export function hitsIn(text: string, list = WORD_LIST): Hit[] {
  const line = text.replaceAll(/\s+/g, " ");
  return list.flatMap(({ pattern, better }) =>
    [...line.matchAll(new RegExp(pattern.source, "gi"))].map(([words]) => ({
      words: words.toLowerCase().trim(),
      better,
    })),
  );
}

export function hitLine(file: string, text: string, list = WORD_LIST): string[] {
  const words = hitsIn(text, list).map((hit) => hit.words);
  return words.length === 0 ? [] : [`${file}: ${words.length} (${[...new Set(words)].join(", ")})`];
}
