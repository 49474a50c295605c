/** Hardhat starts in this folder, with its defaults. */
export default {};
