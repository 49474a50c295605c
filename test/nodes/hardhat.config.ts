const { CHAIN_BEGINS } = process.env;

/** Hardhat starts in this folder, with its defaults and a chain that begins at this time. */
export default { networks: { node: { type: "edr-simulated", ...(CHAIN_BEGINS && { initialDate: CHAIN_BEGINS }) } } };
