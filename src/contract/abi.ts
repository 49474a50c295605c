/** The only module for the ABI of EVM contracts. Load it when used, with `import()`: its library is large. */
export { exampleOf, type ReadArgument, readArgument } from "./abi/argument.ts";
export { chooseFunction } from "./abi/choose.ts";
export { encodeValues } from "./abi/codec.ts";
export { decodeCall, decodeRevert } from "./abi/decode.ts";
export { callText, type DescribedCall, describeCall } from "./abi/describe.ts";
export { type Abi, type AbiItem, readAbi } from "./abi/item.ts";
export { AbiError } from "./abi/parse-type.ts";
export { standardAbi } from "./abi/standards.ts";
export { decodedText } from "./abi/text.ts";
export { type AbiParameter, type AbiType, type AbiValue, typeText } from "./abi/type.ts";
