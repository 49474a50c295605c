import type { JsonValue } from "./json.ts";

/** The accounts of "test … junk", Hardhat's and Anvil's, at m/44'/60'/0'/0/0 to 19. Anyone can spend from them. */
const ACCOUNTS =
  "f39fd6e51aad88f6f4ce6ab8827279cfffb92266 70997970c51812dc3a010c7d01b50e0d17dc79c8 " +
  "3c44cdddb6a900fa2b585dd299e03d12fa4293bc 90f79bf6eb2c4f870365e785982e1f101e93b906 " +
  "15d34aaf54267db7d7c367839aaf71a00a2c6a65 9965507d1a55bcc2695c58ba16fb37d819b0a4dc " +
  "976ea74026e726554db657fa54763abd0c3a0aa9 14dc79964da2c08b23698b3d3cc7ca32193d9955 " +
  "23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f a0ee7a142d267c1f36714e4a8f75612f20a79720 " +
  "bcd4042de499d14e55001ccbb24a551f3b954096 71be63f3384f5fb98995898a86b02fb2426c5788 " +
  "fabb0ac9d68b0b445fb7357272ff202c5651694a 1cbd3b2770909d4e10f157cabc84c7264073c9ec " +
  "df3e18d64bc6a983f673ab319ccae4f1a57c7097 cd3b766ccdd6ae721141f452c550ca635964ce71 " +
  "2546bcd3c84621e976d8185a91a922ae77ecec30 bda5747bfd65f08deb54cb465eb87d40e51b197e " +
  "dd2fd4581271e230360230f9337d5c0430bf44c0 8626f6940e2eb28930efb4cef49b2d1f2c9c1199";

export const TEST_ACCOUNT = "a well-known test account: its private key is public, so anyone can take what it receives";

/** Returns the test accounts that an EVM transaction pays or passes to a contract, in lower case. */
export function testAccountsIn({ to, data }: { to?: JsonValue | undefined; data?: JsonValue | undefined }): string[] {
  const receiver = String(to).toLowerCase();
  const words = typeof data === "string" ? data.toLowerCase() : "";
  return ACCOUNTS.split(" ").flatMap((digits) =>
    receiver === `0x${digits}` || words.includes(PADDING + digits) ? [`0x${digits}`] : [],
  );
}

/** An address in call data is padded to 32 bytes. */
const PADDING = "0".repeat(24);
