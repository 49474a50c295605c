import { cli } from "../../../helpers/cli.ts";

/** A transaction of the seed that transfers tokens. */
const SEEDED = "polygon-bulk d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293";
const TRANSFER = "transfer(to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, amount 1000000)";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

/** One line for a text that may be wrapped. */
const unwrapped = (text: string) => text.replaceAll(/\s+/g, " ");

test("a transaction on a terminal shows what it calls, and in a pipe it stays the same", async () => {
  const shown = await cli(`tx get ${SEEDED}`, { terminal: true });
  expect(unwrapped(shown.stdout)).toContain(TRANSFER);
  for (const format of ["", " -o json", " -o yaml", " -o tsv"]) {
    const { stdout } = await cli(`tx get ${SEEDED}${format}`);
    expect(stdout).toContain("0xa9059cbb");
    expect(stdout).not.toContain("transfer(");
  }
});

test("a bump shows what the transaction calls", async () => {
  const ran = await cli(`tx bump ${SEEDED}`, { terminal: true, answers: [false] });
  expect(unwrapped(ran.stderr)).toContain(`calls ${TRANSFER}`);
  expect(ran.writes).toEqual([]);
});

test("a replacement shows what both versions call", async () => {
  const approve = `0x095ea7b3${TO.slice(2).padStart(64, "0")}${"f".repeat(64)}`;
  const line = `tx replace ${SEEDED} --to ${TO} --value 0 --gas-limit 90000 --data ${approve}`;
  const ran = await cli(line, { terminal: true, answers: [false] });
  const text = unwrapped(ran.stderr);
  expect(text).toContain(`calls now ${TRANSFER}`);
  expect(text).toContain(
    "calls approve(spender 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, amountOrId unlimited (2^256-1))",
  );
  const same = await cli(`tx replace ${SEEDED} --inherit`, { terminal: true, answers: [false] });
  expect(unwrapped(same.stderr)).not.toContain("calls now");
});

describe("the ABIs next to the settings", () => {
  const ABI = JSON.stringify([
    { type: "function", name: "transfer", inputs: [address("dst"), { name: "wad", type: "uint256" }] },
    { type: "error", name: "Frozen", inputs: [address("account")] },
  ]);

  function address(name: string) {
    return { name, type: "address" };
  }

  test("have precedence over the standards", async () => {
    const { stdout } = await cli(`tx get ${SEEDED}`, { terminal: true, files: { "abis/token.json": ABI } });
    expect(unwrapped(stdout)).toContain("transfer(dst 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, wad 1000000)");
  });

  test("that cannot be read are noted, and others are ignored", async () => {
    const files = { "abis/a.json": "{", "abis/b.json": "[]", "abis/notes.txt": "x", "abis/token.json": ABI };
    const { stdout, stderr } = await cli(`tx get ${SEEDED}`, { terminal: true, files });
    expect(unwrapped(stdout)).toContain("wad 1000000");
    expect(unwrapped(stderr)).toContain("abis/a.json: is not JSON");
    expect(unwrapped(stderr)).toContain("abis/b.json: is not an ABI of a contract");
    expect(stderr).not.toContain("notes.txt");
  });

  test("are read up to a number", async () => {
    const files = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`abis/${index}.json`, ABI]));
    const { stderr } = await cli(`tx get ${SEEDED}`, { terminal: true, files });
    expect(unwrapped(stderr)).toContain("only the first 64 of 70 ABIs in abis are read");
  });

  test("are not read for data output", async () => {
    const { stderr } = await cli(`tx get ${SEEDED} -o json`, { files: { "abis/a.json": "{" } });
    expect(stderr).not.toContain("a.json");
  });
});
