import { cli, ends, exits, says, type World } from "../../../helpers/cli.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const HOLDER = "0x52908400098527886E0F7030069857D2E4169EE7";
const BASE = ["tx", "send", "eth-main-1", "--to", TO, "--value", "0", "--speed", "fast"];
const TRANSFER = "transfer(address,uint256)";

const word = (hex: string) => hex.toLowerCase().padStart(64, "0");

const input = (name: string, type: string) => ({ name, type });
const ABI = [
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [input("to", "address"), input("amount", "uint256")],
  },
  { type: "function", name: "mint", stateMutability: "nonpayable", inputs: [input("to", "address")] },
  {
    type: "function",
    name: "mint",
    stateMutability: "nonpayable",
    inputs: [input("to", "address"), input("id", "uint256")],
  },
  { type: "function", name: "wrap", stateMutability: "payable", inputs: [] },
  {
    type: "function",
    name: "pay",
    stateMutability: "nonpayable",
    inputs: [{ ...input("payments", "tuple[]"), components: [input("to", "address"), input("amount", "uint96")] }],
  },
  { type: "event", name: "Moved", inputs: [] },
  { type: "constructor", inputs: [input("owner", "address")] },
];
const files = {
  "erc20.json": JSON.stringify(ABI),
  "foundry.json": JSON.stringify({ abi: ABI, bytecode: { object: "0x60" } }),
  "hardhat.json": JSON.stringify({ _format: "hh-sol-artifact-1", contractName: "Token", abi: ABI }),
};

/** Runs a line that must be refused, and returns its problems. */
async function problems(...words: string[]): Promise<string> {
  const ran = await ends({ exitCode: 2, requests: [] }, [...BASE, ...words, "--yes"], { files });
  return ran.stderr;
}

async function dataOf(...words: string[]): Promise<string> {
  const ran = await exits(0, [...BASE, ...words, "--dry-run"], { files });
  return JSON.parse(ran.stdout.trimEnd().split("\n").at(-1) ?? "").data;
}

describe("a call by name is sent as its data", () => {
  test.each([[TRANSFER], ["function transfer(address to, uint amount) external"], ["transfer( address , uint256 )"]])(
    "%s",
    async (signature) => {
      const data = `0xa9059cbb${word(HOLDER.slice(2))}${word("19")}`;
      expect(await dataOf("--call", signature, "--arg", HOLDER, "--arg", "25")).toBe(data);
    },
  );

  test.each([["erc20.json"], ["foundry.json"], ["hardhat.json"]])("by the ABI in %s", async (file) => {
    const data = `0xa9059cbb${word(HOLDER.slice(2))}${word("19")}`;
    expect(await dataOf("--abi", file, "--call", "transfer", "--arg", HOLDER, "--arg", "25")).toBe(data);
    expect(await dataOf("--abi", file, "--call", TRANSFER, "--arg", HOLDER, "--arg", "25")).toBe(data);
  });

  test("by an ABI that has the function twice", async () => {
    const merged = { "merged.json": JSON.stringify([...ABI, ...ABI]) };
    const words = ["--abi", "merged.json", "--call", "transfer", "--arg", HOLDER, "--arg", "25", "--dry-run"];
    expect((await cli([...BASE, ...words], { files: merged })).stdout).toContain("0xa9059cbb");
  });

  test.each([
    ["1e18", 10n ** 18n],
    ["1.5e18", 15n * 10n ** 17n],
    ["1_000_000", 1_000_000n],
    ["0xff", 255n],
    ["9007199254740993", 9007199254740993n],
    [`${2n ** 256n - 1n}`, 2n ** 256n - 1n],
  ])("the integer %s is exact", async (text, amount) => {
    expect(await dataOf("--call", "burn(uint256)", "--arg", text)).toBe(`0x42966c68${word(amount.toString(16))}`);
  });

  test("a negative integer", async () =>
    expect(await dataOf("--call", "move(int8)", "--arg=-1")).toMatch(/^0x[0-9a-f]{8}f{64}$/));

  test("lists and tuples are JSON, by the names of their fields or in order", async () => {
    const named = await dataOf("--abi", "erc20.json", "--call", "pay", "--arg", `[{"amount":"1e18","to":"${TO}"}]`);
    const ordered = await dataOf("--abi", "erc20.json", "--call", "pay", "--arg", `[["${TO}",1000000000000000000]]`);
    expect(named).toBe(ordered);
    expect(named.slice(10 + 128)).toBe(word(TO.slice(2)) + word("de0b6b3a7640000"));
  });

  test("without arguments, with an amount for a function that takes it", async () => {
    const line = BASE.map((each) => (each === "0" ? "1eth" : each));
    const ran = await cli([...line, "--abi", "erc20.json", "--call", "wrap", "--dry-run"], { files });
    expect(ran.stdout).toMatch(/"value":"1000000000000000000".*"data":"0x[0-9a-f]{8}"/);
  });

  test("in a replacement", async () => {
    const line = ["tx", "replace", "eth-main-1", "tx-1", "--to", TO, "--value", "0", "--gas-limit", "90000"];
    const ran = await cli([...line, "--call", "burn(uint256)", "--arg", "1", "--dry-run"]);
    expect(ran.stdout).toContain(`"data":"0x42966c68${word("1")}"`);
  });

  test("a label in place of an address", async () => {
    const config = { version: 1 as const, contexts: {}, labels: { evm: { holder: HOLDER } } };
    const line = [...BASE, "--call", TRANSFER, "--arg", "@holder", "--arg", "1", "--dry-run"];
    expect((await cli(line, { config })).stdout).toContain(word(HOLDER.slice(2)));
    const unknown = await cli([...BASE, "--call", TRANSFER, "--arg", "@nobody", "--arg", "1", "--yes"], { config });
    expect(unknown).toMatchObject({ exitCode: 2, requests: [] });
    expect(unknown.stderr).toContain("--arg 1 @nobody: unknown label");
  });
});

describe("is refused with exit code 2, all problems at once", () => {
  test.each<[string[], string[]]>([
    [
      ["--call", TRANSFER, "--data", "0x00"],
      ["--call: cannot be combined with --data", "--arg: transfer(address,uint256) takes 2 arguments"],
    ],
    [
      ["--call", TRANSFER, "--arg", HOLDER],
      ["--arg: transfer(address,uint256) takes 2 arguments, but got 1; missing: argument 2 (uint256)"],
    ],
    [["--call", "burn(uint256)", "--arg", "1", "--arg", "2"], ["takes 1 argument, but got 2"]],
    [["--arg", "1"], ["--arg: requires --call"]],
    [["--abi", "erc20.json"], ["--abi: requires --call"]],
    [
      ["--call", "transfer"],
      ["--call transfer: needs the types of its parameters, e.g. transfer(address,uint256), or --abi"],
    ],
    [["--call", "transfer(adress)"], ['is not a function signature: unknown type "adress"']],
    [["--call", "transfer(address"], ["needs a name and types in parentheses"]],
    [["--call", "f(uint7)", "--arg", "1"], ['unknown type "uint7"']],
    [["--abi", "erc20.json", "--call", "transfr"], ["is not a function of the ABI (did you mean transfer?)"]],
    [["--abi", "erc20.json", "--call", "transfer(uint256)"], ["is not a function of the ABI"]],
    [
      ["--abi", "erc20.json", "--call", "mint"],
      ["has several signatures; specify one of mint(address), mint(address,uint256)"],
    ],
    [["--call", "f(uint256,)", "--arg", "1"], ["has a comma without a type after it"]],
    [["--call", "f(uint8)", "--arg", "256"], ["--arg 1 256: is out of range for uint8 (0 to 2^8-1)"]],
    [["--call", "f(uint8)", "--arg=-1"], ["is out of range for uint8"]],
    [["--call", "f(int8)", "--arg", "128"], ["is out of range for int8 (-2^7 to 2^7-1)"]],
    [["--call", "f(uint256)", "--arg", "1.5"], ["needs a whole number for uint256"]],
    [["--call", "f(uint256)", "--arg", "1e99999999"], ["needs a whole number for uint256"]],
    [["--call", "f(uint256)", "--arg", ""], ["needs a whole number for uint256"]],
    [["--call", "f(uint256)", "--arg", "25usdc"], ["needs a whole number for uint256"]],
    [["--call", "f(bool)", "--arg", "yes"], ["needs true or false"]],
    [["--call", "f(address)", "--arg", HOLDER.replace("F7", "f7")], ["the checksum of this address is wrong"]],
    [["--call", "f(bytes4)", "--arg", "0x1234"], ["needs 4 bytes (8 hex digits), has 2"]],
    [["--call", "f(bytes)", "--arg", "0x123"], ["has an odd number of hex digits"]],
    [["--call", "f(uint256[2])", "--arg", "[1]"], ["needs 2 items, has 1"]],
    [["--call", "f(uint256[])", "--arg", "1,2"], ["needs JSON for uint256[], e.g. [25]"]],
    [["--call", "f(string[])", "--arg", "[1]"], ["--arg 1 [0] [1]: needs a text in quotes for string"]],
    [
      ["--abi", "erc20.json", "--call", "pay", "--arg", `[{"to":"${TO}"},{"to":"${TO}","amount":1,"memo":2}]`],
      ["[0].amount", "is missing; it is uint96", "[1]", "has the unknown field memo; known: to, amount"],
    ],
    [
      ["--call", TRANSFER, "--arg", "0x12", "--arg", "x"],
      ["--arg 1 0x12: an address has 40", "--arg 2 x: needs a whole number"],
    ],
  ])("%j", async (words, expected) => {
    const stderr = (await problems(...words)).replaceAll(/\s+/g, " ");
    for (const each of expected) expect(stderr).toContain(each.replaceAll(/\s+/g, " "));
  });

  test("an amount for a function that is not payable", async () => {
    const line = BASE.map((each) => (each === "0" ? "1eth" : each));
    const ran = await cli([...line, "--abi", "erc20.json", "--call", "mint(address)", "--arg", TO, "--yes"], { files });
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr).toContain("--value: must be 0: mint(address) is not payable, and the call would revert");
  });

  test("a call without a contract: its data would be the code of a new one", async () => {
    const line = ["tx", "send", "eth-main-1", "--value", "0", "--speed", "fast", "--call", "pause()", "--yes"];
    await says({ exitCode: 2, requests: [] }, line, "--call: requires --to: the address of the contract");
  });

  test.each([
    ["not JSON", '{"abi": [1,}', "is not JSON: expected a value at line 1 column 12"],
    ["no ABI", '{"name": "x"}', "is not an ABI"],
    ["an empty ABI", "[]", "it has no functions and no errors"],
    ["a text", '"abi"', "is not an ABI"],
    ["an unknown type", '[{"type":"function","name":"f","inputs":[{"type":"uint9"}]}]', 'unknown type "uint9"'],
    ["a tuple without fields", '[{"type":"function","name":"f","inputs":[{"type":"tuple"}]}]', "not a list"],
    ["a hostile name", '[{"type":"function","name":"f\\u001b[31m","inputs":[]}]', 'the invalid name "f'],
    [
      "deep types",
      `[{"type":"function","name":"f","inputs":[{"type":"uint8${"[]".repeat(99)}"}]}]`,
      "nested more than 32 levels deep",
    ],
  ])("an ABI file with %s", (_, content, rule) =>
    says({ exitCode: 2, requests: [] }, [...BASE, "--abi", "a.json", "--call", "f", "--yes"], ["a.json", rule], {
      files: { "a.json": content },
    }),
  );
});

describe("in prompts", () => {
  const ask = (words: string[], answers: NonNullable<World["answers"]>) =>
    cli([...BASE, ...words], { files, terminal: true, answers });

  test("the function of an ABI is chosen, and each argument entered", async () => {
    const ran = await ask(["--abi", "erc20.json"], ["mint(address,uint256)", "0x12", TO, "7", false]);
    expect(ran.questions.slice(0, 4)).toEqual([
      "Function to call:",
      "to (address):",
      expect.stringContaining("an address has 40 hex digits"),
      "to (address):",
    ]);
    expect(ran.questions[4]).toBe("id (uint256):");
    expect(ran.stderr).toMatch(/calls +mint\(to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, id 7\)\n/);
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain(`--abi erc20.json --call 'mint(address,uint256)' --arg ${TO} --arg 7`);
  });

  test("only the missing arguments are asked for, and the line is quoted", async () => {
    const words = ["--call", "note(address,string)", "--arg", TO];
    const ran = await ask(words, ['it\'s "so"', false]);
    expect(ran.questions[0]).toBe("argument 2 (string):");
    expect(ran.stderr).toContain(`--call 'note(address,string)' --arg ${TO} --arg 'it'\\''s "so"'`);
  });

  test("nothing is asked while something typed is wrong", async () => {
    const ran = await ask(["--call", "f(uint8,uint8)", "--arg", "300"], []);
    expect(ran).toMatchObject({ exitCode: 2, questions: [], requests: [] });
    expect(ran.stderr).toContain("is out of range for uint8");
  });

  test("the receiver of a call is required", async () => {
    const line = ["tx", "send", "eth-main-1", "--value", "0", "--speed", "fast", "--call", "pause()"];
    const ran = await cli(line, { terminal: true, answers: ["", TO, false] });
    expect(ran.questions.slice(0, 2)).toEqual(["To:", expect.stringContaining("enter a value")]);
  });
});

describe("a question shows what data does", () => {
  const ask = (data: string) => cli([...BASE, "--data", data], { terminal: true, answers: [false] });
  const MAX = "f".repeat(64);

  test("in place of the data, if all of it is understood", async () => {
    const { stderr } = await ask(`0x095ea7b3${word(TO.slice(2))}${MAX}`);
    expect(stderr).toMatch(
      /calls +approve\(spender 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC,\s+amountOrId unlimited \(2\^256-1\)\)/,
    );
    expect(stderr).not.toContain("data  ");
  });

  test("next to the data otherwise", async () => {
    const { stderr } = await ask("0x12345678");
    expect(stderr).toMatch(/data +0x12345678\n +calls +unknown function 0x12345678/);
  });
});
