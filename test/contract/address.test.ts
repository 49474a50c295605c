import { addressProblem, hexAddressProblem } from "../../src/contract/address.ts";

/** The vectors of EIP-55. */
const CHECKSUMMED = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("an EVM address", () => {
  test.each(CHECKSUMMED)("%s is valid", (address) => {
    expect(addressProblem(address)).toBeUndefined();
    expect(addressProblem(address.toLowerCase())).toBeUndefined();
    expect(addressProblem(`0x${address.slice(2).toUpperCase()}`)).toBeUndefined();
  });

  test.each([
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "checksum"],
    ["0x12", "40 hex digits, this one has 2"],
    ["0x", "40 hex digits, this one has 0"],
    [`0x${"1".repeat(41)}`, "this one has 41"],
    ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "begins with 0x"],
    ["0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "begins with 0x"],
    [`0x${"g".repeat(40)}`, "hex digits only"],
    [` 0x${"1".repeat(40)}`, "begins with 0x"],
    [`0x${"1".repeat(39)}\n`, "hex digits only"],
    ["", "begins with 0x"],
  ])("%j is invalid", (text, problem) => expect(addressProblem(text)).toContain(problem));
});

describe("bytes in hex", () => {
  test.each(["0x", "0xdeadbeef", "0xDEADbeef"])("%s", (text) => expect(hexAddressProblem(text)).toBeUndefined());

  test.each([
    ["0xabc", "odd number"],
    ["deadbeef", "needs 0x"],
    ["0xzz", "needs 0x and hex digits"],
    ["", "needs 0x"],
  ])("%j are invalid", (text, problem) => expect(hexAddressProblem(text)).toContain(problem));
});
