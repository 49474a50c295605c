/**
 * Where the token comes from. A context's token is bound to the context's origin; any other token goes to the selected
 * server.
 */
export type TokenSource =
  | { kind: "none" }
  | { kind: "variable"; from: "RELAYCTL_TOKEN"; token: string }
  /** The path is `-` for stdin. */
  | { kind: "file"; from: string; path: string }
  | { kind: "stored"; from: string; token: string; boundTo: string }
  | { kind: "command"; from: string; argv: readonly string[]; boundTo: string };
