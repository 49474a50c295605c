import { MOST_DECIMALS } from "../contract/erc20.ts";
import { exactly, flag, listOf, oneOf, optional, recordOf, text, that } from "../contract/reply/shape.ts";

/** One service and how to sign in to it (promises 6). A type, so that the compiler accepts it as JSON. */
export type Context = {
  /** Scheme, host, port, and path; the token is bound to them. */
  server: string;
  token?: string;
  /** A program and its arguments, run without a shell, that prints a token. */
  token_command?: string[];
  /** For the server, by name; null for a header that `token_command` prints. */
  headers?: Record<string, string | null>;
  /** A program and its arguments that prints further headers. */
  header_command?: string[];
  protected?: boolean;
  ca_file?: string;
  /** Only for this server. */
  cert?: string;
  key?: string;
  key_passphrase_file?: string;
  allow_http?: boolean;
  /** `required` refuses writes that cannot be recorded. */
  journal?: "required";
  /** Whether writes need a `--reason`. */
  require_reason?: boolean;
  read_only?: boolean;
  /** Who has to sign what moves money or loosens a limit, and how many of them. */
  approvers?: Approvers;
  /** By coin: the most that one transaction may send, in the smallest unit. */
  max_value?: CoinAmounts;
  /** The same for the transactions of 24 hours together. */
  max_per_day?: CoinAmounts;
  /** The only addresses that transactions may be sent to. */
  allow_to?: string[];
  /** URLs of nodes by the name of their network, to read the chain from instead of the relayers' nodes. */
  nodes?: Record<string, string>;
  /** ERC-20 tokens whose balances can be read, by the name that the user gave them. */
  erc20?: Record<string, Erc20Token>;
};

/** One name means tokens with the same decimals, so that an amount in it is the same number everywhere. */
export type Erc20Token = {
  decimals: number;
  /** Addresses by the name of their network. */
  addresses: Record<string, string>;
};

export type Erc20Tokens = Readonly<Record<string, Erc20Token>>;

export type Approvers = {
  needed: number;
  /** Lines of an OpenSSH `allowed_signers` file, each with one name and key. */
  signers: string[];
};

/** Digits by the coin in lower case: `eth`, `sol`, `xlm`, or `wei` for any EVM coin. */
export type CoinAmounts = Record<string, string>;

/** A write beyond one must be confirmed with the context's name. */
export type Limits = Pick<Context, "max_value" | "max_per_day" | "allow_to">;

export type Config = {
  version: 1;
  current?: string;
  contexts: Record<string, Context>;
  labels?: { evm?: Addresses; solana?: Addresses; stellar?: Addresses };
};

type Addresses = Record<string, string>;

const addresses = optional(recordOf(text));
const coinAmounts = recordOf(that((amount) => typeof amount === "string" && /^[0-9]+$/.test(amount)));

const isDecimals = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_DECIMALS;
const isEvmAddress = (value: unknown) => typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value);

export const contextShape = exactly({
  server: text,
  token: optional(text),
  token_command: optional(listOf(text, 1)),
  headers: optional(recordOf(that((value) => value === null || typeof value === "string"))),
  header_command: optional(listOf(text, 1)),
  protected: optional(flag),
  ca_file: optional(text),
  cert: optional(text),
  key: optional(text),
  key_passphrase_file: optional(text),
  allow_http: optional(flag),
  journal: optional(oneOf("required")),
  require_reason: optional(flag),
  read_only: optional(flag),
  approvers: optional(
    exactly({ needed: that((needed) => Number.isInteger(needed) && Number(needed) > 0), signers: listOf(text, 1) }),
  ),
  max_value: optional(coinAmounts),
  max_per_day: optional(coinAmounts),
  allow_to: optional(listOf(text)),
  nodes: optional(recordOf(text)),
  erc20: optional(recordOf(exactly({ decimals: that(isDecimals), addresses: recordOf(that(isEvmAddress)) }))),
});

export const configShape = exactly({
  version: oneOf(1),
  current: optional(text),
  contexts: recordOf(contextShape),
  labels: optional(exactly({ evm: addresses, solana: addresses, stellar: addresses })),
});
