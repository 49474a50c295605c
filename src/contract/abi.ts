/**
 * The only module for the ABI of EVM contracts: encoding calls, and decoding calls and errors. Load it when it is used,
 * with `import()`: its library is large.
 */
export { decodeCall, decodeRevert } from "./abi/decode.ts";
export { type Abi, readAbi, signatureItem } from "./abi/item.ts";
export { standardAbi } from "./abi/standards.ts";
export { decodedText } from "./abi/text.ts";
