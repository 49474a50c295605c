import { describe, expect, test } from "vitest";
import { explorerUrl } from "../../src/contract/explorer-url.ts";

const HASH = `0x${"ab".repeat(32)}`;

describe("the page of a transaction", () => {
  test.each([
    ["https://etherscan.io", `https://etherscan.io/tx/${HASH}`],
    ["https://stellar.expert/explorer/public/", `https://stellar.expert/explorer/public/tx/${HASH}`],
    ["https://explorer.example.org?cluster=devnet", `https://explorer.example.org/tx/${HASH}?cluster=devnet`],
    ["http://127.0.0.1:4000", `http://127.0.0.1:4000/tx/${HASH}`],
  ])("of %s", (explorer, url) => {
    expect(explorerUrl([explorer], HASH)).toBe(url);
  });

  test("is not that of an API, unless there is nothing else", () => {
    const api = "https://api-sepolia.etherscan.io/api";
    expect(explorerUrl([api, "https://sepolia.etherscan.io"], HASH)).toBe(`https://sepolia.etherscan.io/tx/${HASH}`);
    expect(explorerUrl([api], HASH)).toBe(`${api}/tx/${HASH}`);
  });
});

test.each([
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
  expect(explorerUrl(explorers, HASH)).toBeUndefined();
});

test("a hash with other characters is not linked", () => {
  expect(explorerUrl(["https://etherscan.io"], "0x12/../../evil")).toBeUndefined();
});
