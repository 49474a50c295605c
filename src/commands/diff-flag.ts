/** `--diff` and its help; what it does is in flow/perform. */
export const DIFF = ["--diff", "read first and tell what changes, old → new; with --dry-run too"] as const;
