import { bash, relayctl } from "./relayctl.ts";
import { rawService, reply } from "./services/raw.ts";
import { inTerminal } from "./terminal/terminal.ts";

const LARGEST = "340282366920938463463374607431768211455";
const TRANSACTION = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

test("a value of 2^128 - 1 is sent as an integer with all digits", async () => {
  const data = `{"id":"${TRANSACTION}","relayer_id":"eth-main-1","status":"submitted","value":"${LARGEST}"}`;
  const service = await rawService((request) =>
    request.startsWith("PUT ") ? reply(200, `{"success":true,"data":${data}}`) : reply(404, "", "text/plain"),
  );
  const args = ["tx", "replace", "eth-main-1", TRANSACTION, "--value", LARGEST, "--yes", "-o", "json"];
  const { exitCode, stdout } = await relayctl(args, service);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).value).toBe(LARGEST);
  const puts = service.requests.filter((request) => request.startsWith("PUT "));
  expect(puts.map((request) => request.split("\r\n\r\n")[1])).toEqual([`{"value":${LARGEST}}`]);
  expect(puts[0]).toContain(`/api/v1/relayers/eth-main-1/transactions/${TRANSACTION} HTTP/1.1`);
});

test.each([
  ["json", `"gas_price_cap": ${LARGEST},`],
  ["ndjson", `"gas_price_cap":${LARGEST},`],
  ["yaml", `gas_price_cap: ${LARGEST}\n`],
  ["raw", `"gas_price_cap":${LARGEST},`],
])("a cap of 2^128 - 1 is printed with all digits in %s", async (format, text) => {
  const { stdout } = await relayctl(["--demo", "relayers", "get", "polygon-bulk", "-o", format]);
  expect(stdout).toContain(text);
});

test.each(["csv", "tsv"])("a cap of 2^128 - 1 is printed with all digits in a list in %s", async (format) => {
  const line = `relayctl --demo relayers list -o ${format} --no-headers --fields id,policies.gas_price_cap | grep polygon`;
  expect((await bash(line)).stdout).toMatch(new RegExp(`^polygon-bulk[,\\t]${LARGEST}\\r?\\n$`));
});

test("a cap of 2^128 - 1 is printed with all digits in a table and in a block", async () => {
  const listed = await inTerminal("relayctl --demo relayers list --fields id,policies.gas_price_cap");
  const got = await inTerminal("relayctl --demo relayers get polygon-bulk");
  expect(listed.shown).toContain(LARGEST);
  expect(got.shown).toContain(`(${LARGEST})`);
});
