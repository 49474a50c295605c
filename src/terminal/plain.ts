/**
 * Returns whether a terminal gets plain lines only, without repainting and escape sequences: for a screen reader
 * (`RELAYCTL_ACCESSIBLE`), and with `TERM=dumb`.
 */
export function wantsPlainLines(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env.RELAYCTL_ACCESSIBLE) || env.TERM === "dumb";
}
