import { createCollection, type Generated } from "../../../src/embedded-server/state/collection.ts";

const three: Generated = {
  size: 3,
  at: (position) => ({ id: `made-${position}` }),
  positionOf: (id) => [0, 1, 2].find((position) => id === `made-${position}`),
};

function collection() {
  return createCollection([{ id: "a" }, { id: "b" }], three);
}

test.each([
  [0, 2, ["made-0", "made-1"]],
  [0, 10, ["made-0", "made-1", "made-2", "a", "b"]],
  [2, 2, ["made-2", "a"]],
  [3, 1, ["a"]],
  [4, 5, ["b"]],
  [5, 5, []],
  [99, 5, []],
  [0, 0, []],
  [4, 0, []],
])("a page from %i of %i has generated items before added ones", (start, count, ids) => {
  const page = collection().page(start, count);
  expect(page.map(({ id }) => id)).toEqual(ids);
});

test("a changed item keeps its position", () => {
  const changed = collection();
  changed.put({ id: "made-0", name: "first" });
  changed.put({ id: "a", name: "fourth" });
  changed.put({ id: "c" });
  expect(changed.page(0, 10)).toEqual([
    { id: "made-0", name: "first" },
    { id: "made-1" },
    { id: "made-2" },
    { id: "a", name: "fourth" },
    { id: "b" },
    { id: "c" },
  ]);
  expect(changed.size()).toBe(6);
});

test("holds only stored items, and finds every item by its ID", () => {
  const changed = collection();
  changed.put({ id: "made-2", name: "third" });
  expect(changed.held()).toEqual([{ id: "a" }, { id: "b" }, { id: "made-2", name: "third" }]);
  const found = ["made-1", "made-2", "b", "made-3", "constructor"].map((id) => changed.get(id));
  expect(found).toEqual([{ id: "made-1" }, { id: "made-2", name: "third" }, { id: "b" }, undefined, undefined]);
});

test.each([
  [["made-1"], ["made-0", "made-2", "a", "b"]],
  [
    ["made-0", "made-1", "made-2"],
    ["a", "b"],
  ],
  [["a"], ["made-0", "made-1", "made-2", "b"]],
  [
    ["made-2", "b", "nothing"],
    ["made-0", "made-1", "a"],
  ],
])("a removed item is missing from every page: %j", (removed, left) => {
  const changed = collection();
  for (const id of removed) changed.remove(id);
  expect(changed.all().map(({ id }) => id)).toEqual(left);
  expect(left.map((_, start) => changed.page(start, 1)[0]?.id)).toEqual(left);
  expect(changed.size()).toBe(left.length);
  for (const id of removed) expect(changed.get(id)).toBeUndefined();
});

test("a removed item can be added again", () => {
  const changed = collection();
  for (const id of ["made-0", "a"]) {
    changed.remove(id);
    changed.put({ id, name: "again" });
    expect(changed.get(id)).toEqual({ id, name: "again" });
  }
  expect(changed.size()).toBe(5);
  expect(changed.removed()).toEqual([]);
});

test("a removed generated item stays removed in a restored collection", () => {
  const changed = collection();
  changed.remove("made-1");
  const again = createCollection(changed.held(), three, changed.removed());
  expect(again.all()).toEqual(changed.all());
});
