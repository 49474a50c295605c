import { createRecent } from "../../src/webhooks/recent.ts";

test("remembers the keys that were used last, and forgets older ones", () => {
  const recent = createRecent<number>(3);
  recent.set("used", 0);
  for (let key = 1; key <= 100; key++) {
    recent.set(`key ${key}`, key);
    expect(recent.get("used")).toBe(0);
  }
  for (const key of [98, 99, 100]) expect(recent.get(`key ${key}`)).toBe(key);
  expect(recent.get("key 90")).toBeUndefined();
});

test("replaces the value of a key", () => {
  const recent = createRecent<number>(1);
  recent.set("a", 1);
  recent.set("a", 2);
  recent.set("b", 3);
  recent.set("a", 4);
  expect([recent.get("a"), recent.get("b")]).toEqual([4, 3]);
});
