import { expect, test } from "vitest";
import { createMemo } from "../../src/embedded-server/memo.ts";

/** A function that notes what it was asked. */
function counting() {
  const asked: string[] = [];
  const memo = createMemo();
  const nameOf = ({ name }: { name: string }) => {
    asked.push(name);
    return name === "none" ? undefined : name.toUpperCase();
  };
  return { asked, memo, named: (thing: { name: string }) => memo(nameOf, thing) };
}

test("a thing is looked at once, also when nothing came of it", () => {
  const { asked, named } = counting();
  const things = [{ name: "a" }, { name: "none" }];
  expect([...things, ...things].map(named)).toEqual(["A", undefined, "A", undefined]);
  expect(asked).toEqual(["a", "none"]);
});

test("things are told apart by what they are, not by what they look like", () => {
  const { asked, named } = counting();
  expect([{ name: "a" }, { name: "a" }].map(named)).toEqual(["A", "A"]);
  expect(asked).toEqual(["a", "a"]);
});

test("each function has its own results for a thing", () => {
  const { memo, named } = counting();
  const thing = { name: "a" };
  expect([named(thing), memo(({ name }) => name, thing), named(thing)]).toEqual(["A", "a", "A"]);
});

test("after many others a thing is looked at anew, and is still the same", () => {
  const { asked, named } = counting();
  const first = { name: "first" };
  expect(named(first)).toBe("FIRST");
  for (let index = 0; index < 2000; index++) named({ name: `other ${index}` });
  expect(named(first)).toBe("FIRST");
  expect(asked.filter((name) => name === "first")).toHaveLength(2);
});
