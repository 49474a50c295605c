/** What a method costs, in characters that it goes over or writes. */
type Cost = (self: unknown, args: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown) => (typeof value === "string" ? value.length : 0);
const inputLength: Cost = (_, [text]) => lengthOf(text);
const resultLength: Cost = (_self, _args, result) => lengthOf(result);
const isSticky = (pattern: unknown) => pattern instanceof RegExp && pattern.sticky;

/** A pattern goes over its text; a sticky one over what it matches. */
const matchLength: Cost = (pattern, [text], result) =>
  isSticky(pattern) ? 1 + lengthOf(Array.isArray(result) ? result[0] : undefined) : lengthOf(text);

const METHODS: readonly { owner: object; name: string | symbol; cost: Cost }[] = [
  { owner: String.prototype, name: "codePointAt", cost: () => 1 },
  { owner: String.prototype, name: "charCodeAt", cost: () => 1 },
  ...["repeat", "padStart", "padEnd", "slice", "trimEnd", "replaceAll"].map((name) => ({
    owner: String.prototype,
    name,
    cost: resultLength,
  })),
  { owner: String.prototype, name: "split", cost: (self) => String(self).length },
  { owner: Array.prototype, name: "join", cost: resultLength },
  { owner: RegExp.prototype, name: "exec", cost: matchLength },
  { owner: RegExp.prototype, name: "test", cost: (pattern, [text]) => (isSticky(pattern) ? 1 : lengthOf(text)) },
  { owner: RegExp.prototype, name: Symbol.replace, cost: inputLength },
  // For each segment Node 20 goes over the text from its beginning.
  { owner: Intl.Segmenter.prototype, name: "segment", cost: (_, [text]) => lengthOf(text) ** 2 },
];

/** Counts characters of built-in methods that measure, escape, pad and write, which is the same on every machine. */
export async function countedSteps(act: () => unknown): Promise<number> {
  let steps = 0;
  let isCounting = true;
  const restore = METHODS.map(({ owner, name, cost }) => {
    const method = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
    const original = method.value as (...args: unknown[]) => unknown;
    function counted(this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      if (!isCounting) return result;
      isCounting = false;
      steps += 1 + cost(this, args, result);
      isCounting = true;
      return result;
    }
    Object.defineProperty(owner, name, { ...method, value: counted });
    return () => Object.defineProperty(owner, name, method);
  });
  try {
    await act();
  } finally {
    for (const back of restore) back();
  }
  return steps;
}
