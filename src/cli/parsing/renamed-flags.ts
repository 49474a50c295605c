/** The old names of flags, with the present one and the commands that have it. They work, and nothing shows them. */
const RENAMED: readonly (readonly [old: string, now: string, commands: RegExp])[] = [
  [
    "--kind",
    "--network-type",
    /^(?:label delete|relayers update|tx (?:build|quote|replace|send)|webhooks (?:events|test))$/,
  ],
  ["--max-fee", "--max-price", /^tx bump$/],
  ["--max-in-flight", "--concurrency", /^tx send-many$/],
];

/** Returns a command's words with the present name of a flag that was typed by its old one. */
export function withRenamedFlags(argv: readonly string[], ...path: readonly string[]): readonly string[] {
  const [old = "", now] = RENAMED.find(([, , commands]) => commands.test(path.join(" "))) ?? [];
  if (now === undefined) return argv;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const isOld = (word: string) => word === old || word.startsWith(`${old}=`);
  return argv.map((word, index) => (index < end && isOld(word) ? now + word.slice(old.length) : word));
}
