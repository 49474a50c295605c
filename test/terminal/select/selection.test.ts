import { readSelection, validateOutput } from "../../../src/terminal/select/selection.ts";
import { relayerView } from "../sample-relayers.ts";

describe("the selection flags", () => {
  test("are read together, and all problems are reported at once", async () => {
    const options = { where: ["pausd", "id==x"], sort: "-nam", fields: "idd", limit: 3 };
    await expect(readSelection(options, relayerView)).rejects.toMatchObject({
      failure: "usage",
      details: [
        { where: "--where", given: "pausd" },
        { where: "--where", given: "id==x" },
        { where: "--sort", given: "nam" },
        { where: "--fields", given: "idd" },
      ],
    });
  });

  test.each([
    [{ fields: "id", query: "[].id" }, "--fields: cannot be combined with --query"],
    [
      { format: "raw", query: "[].id" },
      "--query: has no effect on -o raw, which prints one response exactly as received",
    ],
    [
      { format: "raw", where: ["paused"] },
      "--where: has no effect on -o raw, which prints one response exactly as received",
    ],
    [{ format: "raw", limit: 3 }, "--limit: has no effect on -o raw, which prints one response exactly as received"],
    [{ format: "name", fields: "name" }, "--fields: has no effect on -o name, which prints only ids"],
  ] as const)("must not contradict each other: %j", async (options, message) => {
    await expect(readSelection(options, relayerView)).rejects.toThrow(message);
  });

  test("are optional", async () => {
    const selection = await readSelection({ format: "raw", where: [] }, relayerView);
    expect(selection).toEqual({
      where: [],
      sort: undefined,
      limit: Number.POSITIVE_INFINITY,
      fields: undefined,
      query: undefined,
    });
  });
});

test("accepts known fields and a readable query", async () => {
  await validateOutput({ fields: "id,policies.gas_price_cap" }, relayerView);
  await validateOutput({ query: "data.id" });
});

test("rejects options that could not be applied afterwards", async () => {
  await expect(validateOutput({ fields: "nam" }, relayerView)).rejects.toThrow(
    "--fields nam: unknown field of a relayer",
  );
  await expect(validateOutput({ query: "a b" }, relayerView)).rejects.toThrow(
    "--query a b: invalid JMESPath expression at column 3",
  );
  await expect(validateOutput({ fields: "id" })).rejects.toThrow("--fields id: this result has no known fields");
});
