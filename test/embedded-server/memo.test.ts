import { createReplyCache } from "../../src/embedded-server/reply.ts";

/** A function that notes what it was asked. */
function counting() {
  const asked: string[] = [];
  const memo = createReplyCache();
  const nameOf = ({ name }: { name: string }) => {
    asked.push(name);
    return name === "none" ? undefined : name.toUpperCase();
  };
  return { asked, memo, named: (thing: { name: string }) => memo(nameOf, thing) };
}

test("calls the function once for each object, even if the result is undefined", () => {
  const { asked, named } = counting();
  const things = [{ name: "a" }, { name: "none" }];
  expect([...things, ...things].map(named)).toEqual(["A", undefined, "A", undefined]);
  expect(asked).toEqual(["a", "none"]);
});

test("distinguishes equal objects by identity", () => {
  const { asked, named } = counting();
  expect([{ name: "a" }, { name: "a" }].map(named)).toEqual(["A", "A"]);
  expect(asked).toEqual(["a", "a"]);
});

test("keeps separate results for each function", () => {
  const { memo, named } = counting();
  const thing = { name: "a" };
  expect([named(thing), memo(({ name }) => name, thing), named(thing)]).toEqual(["A", "a", "A"]);
});

test("recomputes the same result after many other objects", () => {
  const { asked, named } = counting();
  const first = { name: "first" };
  expect(named(first)).toBe("FIRST");
  for (let index = 0; index < 2000; index++) named({ name: `other ${index}` });
  expect(named(first)).toBe("FIRST");
  expect(asked.filter((name) => name === "first")).toHaveLength(2);
});
