/** Code of the EVM that calls the address in the first word of its data with the rest (facts 15.5). */
export const RELAY_CODE = "0x6020360380602060003760006000916000346000355af16000523d600060203e3d6020016000f3";

/** The method name of `eth_call` with a state override, which a node may lack. */
export const OVERRIDE_CALL = "eth_call with override";
