import { exactly, flag, listOf, optional, recordOf, text, that } from "../contract/reply/shape.ts";

/**
 * One service and how to sign in to it (promises 6). A type, not an interface, so that the compiler accepts it as JSON.
 */
export type Context = {
  /** Scheme, host, and port; the token is bound to them. */
  server: string;
  token?: string;
  /** A program and its arguments, run without a shell, that prints a token. */
  token_command?: string[];
  protected?: boolean;
  ca_file?: string;
  allow_http?: boolean;
  /** `required` refuses writes that cannot be recorded. */
  journal?: "required";
  /** Whether writes need a `--reason`. */
  require_reason?: boolean;
  /** URLs of nodes by the name of their network, to read the chain from instead of the relayers' nodes. */
  nodes?: Record<string, string>;
};

/** The content of `config.json`. */
export type Config = {
  version: 1;
  current?: string;
  contexts: Record<string, Context>;
};

const contextShape = exactly({
  server: text,
  token: optional(text),
  token_command: optional(listOf(text, 1)),
  protected: optional(flag),
  ca_file: optional(text),
  allow_http: optional(flag),
  journal: optional(that((journal) => journal === "required")),
  require_reason: optional(flag),
  nodes: optional(recordOf(text)),
});

export const configShape = exactly({
  version: that((version) => version === 1),
  current: optional(text),
  contexts: recordOf(contextShape),
});
