import { readFileSync } from "node:fs";
import { read } from "./reading.ts";

const example = (name: string) => readFileSync(`docs/examples/payouts/${name}`, "utf8");

test("the examples in both formats are the same payments, and the guide shows the file", async () => {
  const csv = await read(example("payouts.csv"));
  const ndjson = await read(example("payouts.ndjson"), { name: "payouts.ndjson" });
  const content = ({ payments }: typeof csv) => payments.map(({ line: _, ...rest }) => rest);
  expect(content(ndjson)).toEqual(content(csv));
  expect(readFileSync("docs/guides/payouts.md", "utf8")).toContain(example("payouts.csv"));
});
