import { exited } from "../helpers/exited.ts";
import { answered, EVM, LIST, success } from "./answered.ts";

describe("a wrong list", () => {
  const items = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ ...EVM, id: `r${from + index}` }));
  const pages = (per_page: number, total_items: unknown) => ({
    pagination: { current_page: 1, per_page, total_items },
  });

  test("that repeats one page endlessly with a wrong count ends", async () => {
    const { stderr, requests } = await exited(9, answered([success(items(10), pages(10, 1e12))], ...LIST));
    expect(stderr).toMatch(/10 of 1,000,000,000,000/);
    expect(requests).toBeLessThan(50);
  });

  test("with one item per page and a count that is too small ends", async () => {
    const { requests } = await exited(9, answered([success(items(1), pages(1, 5))], ...LIST));
    expect(requests).toBeLessThan(50);
  });

  test.each([-1, 1.5, "5", null, 1e300])("with an invalid count (%s) is never reported as complete", async (total) => {
    const { stdout, stderr } = await exited(9, answered([success(items(3), pages(10, total))], ...LIST, "-o", "name"));
    expect(stdout).toBe("");
    expect(stderr).toContain("at pagination.total_items");
  });

  test.each([{}, { pagination: null }])(
    "with a full page and no count (%o) prints a note that there may be more",
    async (none) => {
      const { stdout, stderr } = await exited(0, answered([success(items(100), none)], ...LIST, "-o", "name"));
      expect(stdout.split("\n")).toHaveLength(101);
      expect(stderr).toContain("100 were read, and there may be more: the service does not count this list");
    },
  );

  test.each([0, -1, 1e15])("with an invalid page size (%s) ends", async (per_page) => {
    const { requests } = await answered([success(items(3), pages(per_page, 3))], ...LIST, "-o", "name");
    expect(requests).toBeLessThan(50);
  });

  test("with an item without an ID is rejected", async () => {
    const { stdout } = await exited(9, answered([success([{ ...EVM }, { name: "nobody" }])], ...LIST, "-o", "json"));
    expect(stdout).toBe("");
  });
});
