/** The parts of a library that program and library of this package share, as one file in `dist`. */
export { from } from "ox/AbiFunction";
export { decode, encode } from "ox/AbiParameters";
export { keccak256 } from "ox/Hash";
export { fromString } from "ox/Hex";
