import * as z from "zod/mini";

/** One service and how to sign in to it (design 6). A type and no interface, so that it is JSON to the compiler. */
export type Context = {
  /** Scheme, host and port; the token is bound to them. */
  server: string;
  token?: string;
  /** A program and its arguments, run without a shell, that prints a token. */
  token_command?: string[];
  protected?: boolean;
  ca_file?: string;
  allow_http?: boolean;
};

/** What `config.json` holds. */
export type Config = {
  version: 1;
  current?: string;
  contexts: Record<string, Context>;
};

const contextSchema = z.strictObject({
  server: z.string(),
  token: z.exactOptional(z.string()),
  token_command: z.exactOptional(z.array(z.string()).check(z.minLength(1))),
  protected: z.exactOptional(z.boolean()),
  ca_file: z.exactOptional(z.string()),
  allow_http: z.exactOptional(z.boolean()),
});

export const configSchema: z.ZodMiniType<Config> = z.strictObject({
  version: z.literal(1),
  current: z.exactOptional(z.string()),
  contexts: z.record(z.string(), contextSchema),
});
