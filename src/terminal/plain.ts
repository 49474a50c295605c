/**
 * Whether a terminal gets plain lines only, with nothing painted over and no escape sequences: for a screen reader
 * (`RELAYCTL_ACCESSIBLE`), and where `TERM=dumb` says that it knows none.
 */
export function wantsPlainLines(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env.RELAYCTL_ACCESSIBLE) || env.TERM === "dumb";
}
