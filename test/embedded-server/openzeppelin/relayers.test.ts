import { askService } from "./ask-service.ts";

test("all demo relayers have the policies of their network type", async () => {
  const { items } = await askService().ask("GET", "/relayers?per_page=100");
  expect(items).toHaveLength(9);
  expect(items.filter(({ policies }) => policies === undefined)).toEqual([]);
});
