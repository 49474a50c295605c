import { expect, test } from "vitest";
import { memoized } from "../../src/embedded-server/memoized.ts";

/** A function that notes what it was asked. */
function counting() {
  const asked: string[] = [];
  const named = memoized(({ name }: { name: string }) => {
    asked.push(name);
    return name === "none" ? undefined : name.toUpperCase();
  });
  return { asked, named };
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

test("after many others a thing is looked at anew, and is still the same", () => {
  const { asked, named } = counting();
  const first = { name: "first" };
  expect(named(first)).toBe("FIRST");
  for (let index = 0; index < 2000; index++) named({ name: `other ${index}` });
  expect(named(first)).toBe("FIRST");
  expect(asked.filter((name) => name === "first")).toHaveLength(2);
});
