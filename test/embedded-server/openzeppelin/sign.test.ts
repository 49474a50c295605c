import { askService } from "./ask-service.ts";

const TYPED = "Json deserialize error: ";
const WHOLE = "ab".repeat(32);
const hashes = (domain_separator: string, hash_struct_message = WHOLE) => ({ domain_separator, hash_struct_message });

// facts 1.8: the shape is checked before the relayer is looked up; facts 3.2: and the hashes last.
test.each([
  ["nobody", "sign", {}, 400, `${TYPED}missing field \`message\` at line 1 column 2`],
  [
    "nobody",
    "sign-transaction",
    {},
    400,
    `${TYPED}data did not match any variant of untagged enum SignTransactionRequest at line 1 column 2`,
  ],
  ["nobody", "sign", { message: "" }, 404, "Relayer with ID nobody not found"],
  ["xlm-treasury", "sign-typed-data", hashes(""), 400, "Signing typed data not supported for Stellar"],
  ["evm-1", "sign-typed-data", hashes("zz"), 500, "Failed to sign transaction: Invalid character 'z' at position 0"],
  ["evm-1", "sign-typed-data", hashes("0x1"), 500, "Failed to sign transaction: Odd number of digits"],
  [
    "evm-1",
    "sign-typed-data",
    hashes(WHOLE, "22"),
    500,
    "Failed to sign transaction: Invalid hash struct message length: expected 32 bytes, got 1",
  ],
])("%s: %s of %j is %i", async (id, action, body, status, words) => {
  const reply = await askService().ask("POST", `/relayers/${id}/${action}`, body);
  expect(reply.status).toBe(status);
  expect(reply.text).toContain(words);
});

test("ignores unknown fields", async () => {
  const { ask } = askService();
  const [plain, more] = await Promise.all([
    ask("POST", "/relayers/evm-1/sign", { message: "hello" }),
    ask("POST", "/relayers/evm-1/sign", { message: "hello", more: 1 }),
  ]);
  expect(more?.text).toBe(plain?.text);
  expect(Object.keys(plain?.data ?? {})).toEqual(["r", "s", "v", "sig"]);
});
