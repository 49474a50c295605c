/** The line with what was entered at prompts. It is printed if nothing comes of it, so that no input is lost. */
export interface EnteredLine {
  /** Returns the line; undefined until a prompt has added something to it. */
  current(): readonly string[] | undefined;
  add(words: readonly string[]): void;
  addArgument(word: string): void;
  /** Returns a function that adds flags in place of those that it added before: a value grows while it is entered. */
  growing(): (words: readonly string[]) => void;
  replace(argv: readonly string[]): void;
  /** Sets a line without prompts for a command that always prompts; flags that are added are added to it too. */
  translate(translation: Translation | undefined): void;
  /** Returns the flags that agree to a translated line in a script; undefined if the line is not translated. */
  consent(): readonly string[] | undefined;
}

interface Translation {
  argv: readonly string[];
  consent: readonly string[];
}

/** @param typed the words after `relayctl` */
export function createEnteredLine(typed: readonly string[]): EnteredLine {
  let line: readonly string[] | undefined;
  let added: readonly string[] = [];
  let translated: Translation | undefined;
  const growing = () => {
    const base = line;
    return (words: readonly string[]) => {
      line = words.length > 0 ? withFlags(base ?? typed, words) : base;
    };
  };
  return {
    current: () => (translated ? withFlags(translated.argv, added) : line),
    consent: () => translated?.consent,
    growing,
    add(words) {
      growing()(words);
      added = [...added, ...words];
    },
    addArgument(word) {
      line = withArgument(line ?? typed, word);
    },
    replace(argv) {
      line = argv;
    },
    translate(translation) {
      translated = translation;
    },
  };
}

function withFlags(argv: readonly string[], words: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const at = end < 0 ? argv.length : end;
  return [...argv.slice(0, at), ...words, ...argv.slice(at)];
}

function withArgument(argv: readonly string[], word: string): string[] {
  const needsEnd = !argv.includes("--") && word.startsWith("-");
  return [...argv, ...(needsEnd ? ["--"] : []), word];
}
