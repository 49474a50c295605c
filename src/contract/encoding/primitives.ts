export { hmac } from "@noble/hashes/hmac.js";
export { sha256 } from "@noble/hashes/sha2.js";
export { keccak_256 } from "@noble/hashes/sha3.js";
export { base32nopad, base58 } from "@scure/base";
