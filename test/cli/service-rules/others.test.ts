import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { bodyFile, expectRefused, type Rule } from "./refused.ts";

const HASH = "00".repeat(32);
const XDR = `--transaction-xdr ${envelopeXdr(0)}`;

const FLAGS: readonly Rule[] = [
  [
    `relayers sign-typed-data r1 --domain-separator 11 --hash-struct-message ${HASH}`,
    "--domain-separator 11: Invalid domain separator length: expected 32 bytes, got 1",
  ],
  [`relayers sign-typed-data r1 --domain-separator ${HASH} --hash-struct-message 1122`, "expected 32 bytes, got 2"],
  ["relayers rpc r1 ''", "Missing 'method' field"],
  ["notifications create --url 'not a url'", "--url not a url: Invalid URL format"],
  ["notifications update n1 --url nope", "--url nope: Invalid URL format"],
  ["networks update evm:sepolia", "--rpc-url: At least one field must be provided for update"],
  ["plugins update p1 --plugin-timeout 0s", "Timeout must be greater than 0"],
  [
    `tx build r1 ${XDR} --fee-token USDC:GABC`,
    "Invalid fee_token structure: Issuer address must be 56 characters long",
  ],
];

const FILES: readonly (readonly [line: string, body: unknown, words: string])[] = [
  ["relayers rpc r1", { params: [] }, "body.json method: Missing 'method' field"],
  ["relayers rpc r1", { method: "eth_call", id: 1.5 }, "Invalid 'id' field: must be a string, integer, or null"],
  ["relayers rpc r1", { method: "eth_call", id: true }, "Invalid 'id' field: must be a string, integer, or null"],
  ["networks update evm:sepolia", {}, "At least one field must be provided for update"],
  ["networks update evm:sepolia", { rpc_urls: [] }, "rpc_urls must contain at least one RPC endpoint"],
  ["plugins update p1", { timeout: 0 }, "body.json timeout 0: Timeout must be greater than 0"],
  ["notifications create", { url: "" }, "body.json url (empty): Invalid URL format"],
];

describe("the service's rules for other resources are checked before any request", () => {
  test.each(FLAGS)("%s: %s", (line, words) => expectRefused(line, words));

  test.each(FILES)("%s -f %j: %s", (line, body, words) => expectRefused(`${line} -f body.json`, words, bodyFile(body)));

  test.each([["zz".repeat(32), "Key must be a 64-character hex string (32 bytes)."]])(
    "for a signer's key of %s: %s",
    (key, words) => expectRefused("signers create --type plain --key-file key.txt", words, { "key.txt": key }),
  );
});
