import fc from "fast-check";
import { maskRpcUrl, withMaskedRpcUrls } from "../../src/contract/rpc-url.ts";

describe("an RPC URL is shown without possible keys", () => {
  test.each([
    ["https://node.example", "https://node.example"],
    ["https://node.example/", "https://node.example/"],
    ["https://node.example:8545", "https://node.example:8545"],
    ["https://node.example/v3/KEY", "https://node.example/***"],
    ["https://node.example?key=KEY", "https://node.example?***"],
    ["https://node.example#KEY", "https://node.example#***"],
    ["https://node.example/?key=KEY", "https://node.example/***"],
    ["https://user:KEY@node.example/v3", "https://node.example/***"],
    ["https://user@KEY@node.example", "https://node.example"],
    ["http://[::1]:8545/KEY", "http://[::1]:8545/***"],
    ["wss://node.example/KEY", "wss://node.example/***"],
    ["https://node.example/***", "https://node.example/***"],
    ["node.example/KEY", "***"],
    ["KEY", "***"],
    ["", "***"],
    ["https://node.example/a\nKEY", "https://node.example/***"],
  ])("%j", (url, shown) => expect(maskRpcUrl(url)).toBe(shown));

  test("masking twice changes nothing more", () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        (url) => maskRpcUrl(maskRpcUrl(url)) === maskRpcUrl(url),
      ),
    );
  });
});

test("masks only the RPC URLs of a resource", () => {
  const relayer = {
    id: "r",
    name: "https://x/y",
    custom_rpc_urls: [{ url: "https://h/KEY", weight: 5, extra: true }, "https://h/KEY", null],
    rpc_urls: ["https://u:p@h"],
  };
  expect(withMaskedRpcUrls(relayer)).toEqual({
    id: "r",
    name: "https://x/y",
    custom_rpc_urls: [{ url: "https://h/***", weight: 5, extra: true }, "https://h/***", null],
    rpc_urls: ["https://h"],
  });
  expect(relayer.custom_rpc_urls[0]).toMatchObject({ url: "https://h/KEY" });
});
