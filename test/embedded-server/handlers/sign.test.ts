import { askDemo } from "../ask.ts";

const HASHES = { domain_separator: "11".repeat(32), hash_struct_message: `0x${"22".repeat(32)}` };
/** An envelope of Stellar's v1 without signatures. */
const XDR = btoa("\u0000\u0000\u0000\u0002\u0000\u0000\u0000\u0000");

test.each([
  ["sign", { message: "hello" }],
  ["sign-typed-data", HASHES],
])("%s of an EVM relayer returns a signature, the same for the same message", async (route, body) => {
  const ask = askDemo();
  const { data } = await ask("POST", `/relayers/eth-main-1/${route}`, body);
  expect(data).toEqual({
    r: expect.stringMatching(/^[0-9a-f]{64}$/),
    s: expect.stringMatching(/^[0-9a-f]{64}$/),
    v: expect.toSatisfy((v) => v === 27 || v === 28),
    sig: `${data.r}${data.s}${Number(data.v).toString(16)}`,
  });
  expect((await ask("POST", `/relayers/eth-main-1/${route}`, body)).data).toEqual(data);
});

test("signs a transaction, with the field names of each network type", async () => {
  const ask = askDemo();
  const stellar = await ask("POST", "/relayers/xlm-treasury/sign-transaction", { unsigned_xdr: XDR });
  expect(Object.keys(stellar.data)).toEqual(["signedXdr", "signature"]);
  const solana = await ask("POST", "/relayers/sol-pay/sign-transaction", { transaction: "AQAB" });
  expect(Object.keys(solana.data)).toEqual(["transaction", "signature"]);
});

test.each([
  ["sol-pay", "sign", { message: "a" }, 400, "Endpoint is not supported for Solana relayers"],
  ["xlm-treasury", "sign", { message: "a" }, 400, "Signing data not supported for Stellar"],
  ["xlm-treasury", "sign-typed-data", HASHES, 400, "Signing typed data not supported for Stellar"],
  ["sol-pay", "sign-transaction", { unsigned_xdr: XDR }, 400, "Invalid request type for Solana relayer"],
  ["xlm-treasury", "sign-transaction", { transaction: "AQAB" }, 400, "Invalid request type for Stellar relayer"],
  ["eth-main-2", "sign", { message: "a" }, 403, "Relayer paused"],
  ["eth-sepolia", "sign", { message: "a" }, 403, "Relayer disabled"],
  ["nothing", "sign", { message: "a" }, 404, "Relayer with ID nothing not found"],
  ["eth-main-1", "sign", {}, 400, "Bad Request"],
])("%s %s %j: %d", async (id, route, body, status, message) => {
  const reply = await askDemo()("POST", `/relayers/${id}/${route}`, body);
  expect({ status: reply.status, message: reply.json?.message }).toEqual({ status, message });
});
