import { MOST_DECIMALS } from "../contract/erc20.ts";
import {
  exactShape,
  flag,
  listShape,
  oneOfShape,
  optionalShape,
  recordShape,
  shapeWhere,
  text,
} from "../contract/reply/shape.ts";

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

const addresses = optionalShape(recordShape(text));
const coinAmounts = recordShape(shapeWhere((amount) => typeof amount === "string" && /^[0-9]+$/.test(amount)));

const isDecimals = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_DECIMALS;
const isEvmAddress = (value: unknown) => typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value);

export const contextShape = exactShape({
  server: text,
  token: optionalShape(text),
  token_command: optionalShape(listShape(text, 1)),
  headers: optionalShape(recordShape(shapeWhere((value) => value === null || typeof value === "string"))),
  header_command: optionalShape(listShape(text, 1)),
  protected: optionalShape(flag),
  ca_file: optionalShape(text),
  cert: optionalShape(text),
  key: optionalShape(text),
  key_passphrase_file: optionalShape(text),
  allow_http: optionalShape(flag),
  journal: optionalShape(oneOfShape("required")),
  require_reason: optionalShape(flag),
  read_only: optionalShape(flag),
  approvers: optionalShape(
    exactShape({
      needed: shapeWhere((needed) => Number.isInteger(needed) && Number(needed) > 0),
      signers: listShape(text, 1),
    }),
  ),
  max_value: optionalShape(coinAmounts),
  max_per_day: optionalShape(coinAmounts),
  allow_to: optionalShape(listShape(text)),
  nodes: optionalShape(recordShape(text)),
  erc20: optionalShape(
    recordShape(exactShape({ decimals: shapeWhere(isDecimals), addresses: recordShape(shapeWhere(isEvmAddress)) })),
  ),
});

export const configShape = exactShape({
  version: oneOfShape(1),
  current: optionalShape(text),
  contexts: recordShape(contextShape),
  labels: optionalShape(exactShape({ evm: addresses, solana: addresses, stellar: addresses })),
});
