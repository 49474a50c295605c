/** `--diff` with its help; see command-support/perform. */
export const DIFF = ["--diff", "Show what would change (old → new) before sending; also works with --dry-run"] as const;

/** `--file` for a command whose other flags are fields of the request body. */
export const BODY_FILE = [
  "-f, --file <file>",
  "Read the request body from a JSON file (`-` for stdin); flags override its fields",
] as const;
