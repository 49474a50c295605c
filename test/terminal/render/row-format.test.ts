import { rowNameLine } from "../../../src/terminal/render/row-format.ts";

test("writes the ID on one line", () => {
  expect(rowNameLine({ id: "eth-main-1", name: "Mainnet" })).toBe("eth-main-1\n");
  expect(rowNameLine({ id: "a\nb" })).toBe("a\\nb\n");
});
