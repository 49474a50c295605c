import { explorerUrl } from "../../src/contract/explorer-url.ts";

const PUBLIC = "Public Global Stellar Network ; September 2015";
const HASH = `0x${"ab".repeat(32)}`;

describe("the page of a transaction", () => {
  test.each([
    ["https://etherscan.io", `https://etherscan.io/tx/${HASH}`],
    ["https://stellar.expert/explorer/public/", `https://stellar.expert/explorer/public/tx/${HASH}`],
    ["https://explorer.example.org?cluster=devnet", `https://explorer.example.org/tx/${HASH}?cluster=devnet`],
  ])("of %s", (explorer, url) => expect(explorerUrl({ explorer_urls: [explorer] }, { tx: HASH })).toBe(url));

  test("is not that of an API, unless there is nothing else", () => {
    const api = "https://api-sepolia.etherscan.io/api";
    expect(explorerUrl({ explorer_urls: [api, "https://sepolia.etherscan.io"] }, { tx: HASH })).toBe(
      `https://sepolia.etherscan.io/tx/${HASH}`,
    );
    expect(explorerUrl({ explorer_urls: [api] }, { tx: HASH })).toBe(`${api}/tx/${HASH}`);
  });
});

test.each([
  [{ network_type: "evm", chain_id: 8453 }, { tx: HASH }, `https://basescan.org/tx/${HASH}`],
  [{ network_type: "evm", chain_id: 1 }, { block: "7" }, "https://etherscan.io/block/7"],
  [
    { network_type: "stellar", passphrase: PUBLIC },
    { address: "GA7" },
    "https://stellar.expert/explorer/public/account/GA7",
  ],
  [{ network_type: "stellar", passphrase: PUBLIC }, { block: "7" }, "https://stellar.expert/explorer/public/ledger/7"],
  [{ network_type: "solana", name: "devnet" }, { tx: "5h" }, "https://explorer.solana.com/tx/5h?cluster=devnet"],
  [{ network_type: "evm", chain_id: 31_337 }, { tx: HASH }, undefined],
  [{ network_type: "evm", name: "mainnet" }, { tx: HASH }, undefined],
  [{ network_type: "stellar", passphrase: "constructor" }, { tx: HASH }, undefined],
  [{}, { tx: HASH }, undefined],
])("of the known chain %j, the page of %j is %s", (network, page, url) => expect(explorerUrl(network, page)).toBe(url));

test("the network's own explorer is used before that of the known chain, and an API only without both", () => {
  const own = { network_type: "evm", chain_id: 1, explorer_urls: ["https://own.example.org"] };
  expect(explorerUrl(own, { tx: HASH })).toBe(`https://own.example.org/tx/${HASH}`);
  const api = { ...own, explorer_urls: ["https://api.example.org/api"] };
  expect(explorerUrl(api, { tx: HASH })).toBe(`https://etherscan.io/tx/${HASH}`);
});

test.each([
  ["http", ["http://etherscan.io"]],
  ["another scheme", ["javascript:alert(1)"]],
  ["a local file", ["file:///etc/passwd"]],
  ["control characters", ["https://etherscan.io/\u001b]8;;https://evil.example\u0007"]],
  ["a line break", ["https://ether\nscan.io"]],
  ["an invisible character", ["https://etherscan.io/\u202e"]],
  ["a name and a password", ["https://user:secret@etherscan.io"]],
  ["too many characters", [`https://etherscan.io/${"a".repeat(2000)}`]],
  ["no URL", ["etherscan"]],
  ["no text", [7]],
  ["no list", "https://etherscan.io"],
  ["nothing", undefined],
])("%s is not linked", (_, explorers) => {
  expect(explorerUrl({ explorer_urls: explorers }, { tx: HASH })).toBeUndefined();
});

test.each(["0x12/../../evil", "//evil.example", "x@evil.example", "a?b", "a#b", "\u001b]8;;", "а", ""])(
  "the hash %j is not linked",
  (hash) => expect(explorerUrl({ explorer_urls: ["https://etherscan.io"] }, { tx: hash })).toBeUndefined(),
);
