/** A word as a POSIX shell reads it back: bare when that is safe, else in single quotes. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** `relayctl` with these arguments, to be pasted into a shell. */
export function commandLine(...argv: readonly string[]): string {
  return ["relayctl", ...argv].map(shellWord).join(" ");
}
