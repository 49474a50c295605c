import type { Erc20Tokens } from "./config.ts";

/** The demo's token, at the embedded server's addresses. */
export const DEMO_ERC20: Erc20Tokens = {
  usdc: {
    decimals: 6,
    addresses: {
      base: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      mainnet: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    },
  },
};
