import { nameLine } from "../../../src/terminal/render/row-format.ts";

test("writes the ID on one line", () => {
  expect(nameLine({ id: "eth-main-1", name: "Mainnet" })).toBe("eth-main-1\n");
  expect(nameLine({ id: "a\nb" })).toBe("a\\nb\n");
});
