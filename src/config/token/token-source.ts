/** Where the token comes from. A token of a context is bound to the context's origin; any other goes to the server that is selected beside it. */
export type TokenSource =
  | { kind: "none" }
  | { kind: "variable"; from: "RELAYCTL_TOKEN"; token: string }
  /** The path is `-` for stdin. */
  | { kind: "file"; from: string; path: string }
  | { kind: "stored"; from: string; token: string; boundTo: string }
  | { kind: "command"; from: string; argv: readonly string[]; boundTo: string };
