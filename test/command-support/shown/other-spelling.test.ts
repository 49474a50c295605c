import { answering, evmRecord, many, one, relayerRecord, TO } from "../../commands/tx/wire.ts";
import { cli, ends, exits } from "../../helpers/cli.ts";
import { refusal, success } from "../../helpers/service/reply.ts";

const BIG = "18446744073709551616";
const FITS = "18446744073709551615";
const UPDATE = "relayers update evm-1 --network-type evm --policy";
const ID = "314029b7-9b9b-4c3b-b61a-c71e85190346";
const SEND = `tx send evm-1 --to ${TO} --value ${BIG} --speed fast`;
const REPLACE = `tx replace evm-1 ${ID} --to ${TO} --value ${BIG} --gas-limit 21000 --speed fast`;

/** A relayer of the interface, which writes nothing that nobody set. */
const PLAIN = relayerRecord({ policies: { min_balance: 1 } });

/** A service with this relayer and this transaction. It accepts an amount above 2^64 - 1 in one spelling only. */
function service(relayer: object, transaction: object, takes: "text" | "number") {
  const validated = (after: object) => (request: { body?: string }) =>
    new RegExp(`:${BIG}`).test(request.body ?? "") === (takes === "number") ? one(after) : refusal(400, "invalid type");
  const path = `/relayers/evm-1/transactions/${ID}`;
  return answering({
    "GET /relayers": many([relayer, { ...relayer, id: "evm-2" }]),
    "PATCH /relayers/evm-2": () => success(`{"id":"evm-2","policies":{"gas_price_cap":${BIG}}}`),
    "GET /relayers/evm-1": one(relayer),
    [`GET ${path}`]: one(transaction),
    "PATCH /relayers/evm-1": () => success(`{"id":"evm-1","policies":{"gas_price_cap":${BIG}}}`),
    [`PUT ${path}`]: validated(evmRecord({ value: "0x10000000000000000", speed: "fast" })),
    "POST /relayers/evm-1/transactions": validated(
      evmRecord({ value: "0x10000000000000000", status: "pending", speed: "fast" }),
    ),
  });
}

const REAL = service(relayerRecord(), evmRecord(), "text");
const note = (place: string) => `note: services up to v1.8 reject this ${place} and take it as a string: "${BIG}"\n`;

describe("a dry run without a read uses the interface's number format, with a note about the other", () => {
  test.each([
    [`${UPDATE} gas_price_cap=${BIG}wei`, `"gas_price_cap":${BIG}`, "policies.gas_price_cap"],
    [`${UPDATE} min_balance=${BIG}wei`, `"min_balance":${BIG}`, "policies.min_balance"],
    [REPLACE, `"value":${BIG}`, "value"],
    ["api PATCH /relayers/evm-1 -f patch", `"min_balance":${BIG}`, "policies.min_balance"],
  ])("%s", async (line, shown, place) => {
    const files = { patch: `{"policies":{"min_balance":${BIG}}}` };
    for (const flag of ["--dry-run", "--curl"]) {
      const ran = await ends({ exitCode: 0, requests: [] }, `${line} ${flag}`, { service: REAL, files });
      expect(ran.stdout).toContain(shown);
      expect(ran.stderr.endsWith(note(place))).toBe(true);
    }
  });

  test("with one note for several relayers", async () => {
    const { stderr } = await cli(
      `relayers update evm-1 evm-2 --network-type evm --policy gas_price_cap=${BIG}wei --dry-run`,
    );
    expect(stderr.split("note: ")).toHaveLength(2);
  });

  test.each([`${UPDATE} gas_price_cap=${FITS}wei`, SEND.replace(BIG, FITS), `relayers update sol-1 --paused`])(
    "without a note if both formats are the same: %s",
    async (line) => expect((await cli(`${line} --dry-run`)).stderr).not.toContain("note:"),
  );
});

describe("a record of the real service", () => {
  test.each([
    [`${UPDATE} gas_price_cap=${BIG}wei`, `"gas_price_cap":"${BIG}"`],
    [`relayers update evm-1 evm-2 --policy gas_price_cap=${BIG}wei`, `"gas_price_cap":"${BIG}"`],
    [REPLACE, `"value":"${BIG}"`],
  ])("selects the string format, shown and sent: %s", async (line, spelled) => {
    for (const flag of ["--dry-run", "--curl"]) {
      const ran = await ends({ exitCode: 0, writes: [] }, `${line} --diff ${flag}`, { service: REAL });
      expect(ran.stdout).toContain(spelled);
      expect(ran.stderr).not.toContain("take it as a string");
    }
    const sent = await exits(0, `${line} --diff --yes`, { service: REAL });
    for (const { body } of sent.writes) expect(body).toContain(spelled);
    expect(sent.writes).toHaveLength(line.includes("evm-2") ? 2 : 1);
  });

  test("is not needed for a transaction, which is always sent as a string", async () => {
    const shown = await cli(`${SEND} --dry-run`, { service: REAL });
    expect([shown.stdout.includes(`"value":"${BIG}"`), shown.stderr.includes("note:")]).toEqual([true, false]);
    const ran = await exits(0, `${SEND} --yes`, { service: REAL });
    expect(ran.writes.map(({ body }) => body)).toEqual([expect.stringContaining(`"value":"${BIG}"`)]);
  });
});

test("a record of another service keeps the number format, with the note", async () => {
  const plain = service(PLAIN, evmRecord({ value: "1", is_canceled: undefined }), "number");
  for (const [line, place] of [
    [`${UPDATE} gas_price_cap=${BIG}wei`, "policies.gas_price_cap"],
    [REPLACE, "value"],
  ] as const) {
    const shown = await cli(`${line} --diff --dry-run`, { service: plain });
    expect(shown.stdout).toContain(`:${BIG}`);
    expect(shown.stderr).toContain(note(place));
    const sent = await exits(0, `${line} --diff --yes`, { service: plain });
    expect(sent.writes.map(({ body }) => body)).toEqual([expect.stringContaining(`:${BIG}`)]);
  }
});
