import { expect, test } from "vitest";
import { validateOutput } from "../../src/terminal/select/selection.ts";
import { relayerView } from "./sample-relayers.ts";

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
