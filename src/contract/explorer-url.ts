import type { JsonValue } from "./json.ts";

const MOST_CHARACTERS = 2000;

export interface Explored {
  explorer_urls?: JsonValue | undefined;
  network_type?: JsonValue | undefined;
  chain_id?: JsonValue | undefined;
  passphrase?: JsonValue | undefined;
  name?: JsonValue | undefined;
}

export type ExplorerPage = Readonly<{ tx: string } | { address: string } | { block: string }>;

/**
 * Returns the page of a transaction, an address, or a block in a network's first explorer for users, or a known
 * chain's; undefined without one. Explorers are listed next to their APIs (facts 8.2), and a service may return
 * anything: only plain https URLs count, and nothing but letters and digits is added to them.
 */
export function explorerUrl(network: Explored | undefined, page: ExplorerPage): string | undefined {
  const [[kind, name] = ["", ""]] = Object.entries(page);
  if (network === undefined || !/^[0-9A-Za-z]+$/.test(name)) return undefined;
  const url = findExplorer(network);
  if (!url) return undefined;
  const words = network.network_type === "stellar" ? STELLAR_WORDS : {};
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${words[kind] ?? kind}/${name}`;
  const { href } = url;
  return href.length <= MOST_CHARACTERS && /^[\x21-\x7e]+$/.test(href) ? href : undefined;
}

const STELLAR_WORDS: Readonly<Record<string, string>> = { address: "account", block: "ledger" };

export function findExplorer(network: Explored): URL | undefined {
  const { explorer_urls: listed } = network;
  const pages = (Array.isArray(listed) ? listed : []).map(pageUrl).filter((url) => url !== undefined);
  const known = knownExplorer(network);
  return pages.find((url) => !isApi(url)) ?? (known === undefined ? pages[0] : new URL(known));
}

function pageUrl(text: JsonValue): URL | undefined {
  // A parser removes some control characters, and the URL would differ from the returned text.
  if (typeof text !== "string" || /[\s\p{C}]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" && url.username === "" && url.password === "" ? url : undefined;
}

function isApi({ hostname, pathname }: URL): boolean {
  return /^api[.-]/.test(hostname) || /\/api(\/|$)/.test(pathname);
}

/** Returns a chain's known explorer by its identity: never by a name that a service may choose, except for Solana. */
function knownExplorer({ network_type: kind, chain_id: chain, passphrase, name }: Explored): string | undefined {
  if (kind === "evm") return EVM.get(String(chain));
  if (kind === "stellar") return STELLAR.get(String(passphrase));
  return kind === "solana" ? SOLANA.get(String(name)) : undefined;
}

const EVM = new Map(
  Object.entries({
    1: "https://etherscan.io",
    10: "https://optimistic.etherscan.io",
    56: "https://bscscan.com",
    97: "https://testnet.bscscan.com",
    100: "https://gnosisscan.io",
    137: "https://polygonscan.com",
    5000: "https://mantlescan.xyz",
    8453: "https://basescan.org",
    42161: "https://arbiscan.io",
    42220: "https://celoscan.io",
    59144: "https://lineascan.build",
    80002: "https://amoy.polygonscan.com",
    84532: "https://sepolia.basescan.org",
    421614: "https://sepolia.arbiscan.io",
    534352: "https://scrollscan.com",
    11155111: "https://sepolia.etherscan.io",
  }),
);

const STELLAR = new Map(
  Object.entries({
    "Public Global Stellar Network ; September 2015": "https://stellar.expert/explorer/public",
    "Test SDF Network ; September 2015": "https://stellar.expert/explorer/testnet",
  }),
);

const SOLANA = new Map(
  Object.entries({
    "mainnet-beta": "https://explorer.solana.com",
    devnet: "https://explorer.solana.com?cluster=devnet",
    testnet: "https://explorer.solana.com?cluster=testnet",
  }),
);
